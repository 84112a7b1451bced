// What a page does once what it shows is on the screen: what it shows does not wait for it.

/** Acts after the frame that comes next; a hidden page draws none until it is seen again. What it returns takes it back. */
export function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
