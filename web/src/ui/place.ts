const gapPx = 4;

/** Above everything, below its button or over it, wherever there is more room. */
export function place(list: HTMLElement, button: HTMLElement, maxPx = 360): void {
  if (!list.matches(':popover-open')) list.showPopover();
  const box = button.getBoundingClientRect();
  const [below, above] = [innerHeight - box.bottom - 2 * gapPx, box.top - 2 * gapPx];
  const isBelow = below >= Math.min(list.scrollHeight, 240) || below >= above;
  const { style } = list;
  style.minWidth = `${box.width}px`;
  style.maxHeight = `${Math.min(maxPx, Math.max(isBelow ? below : above, 0))}px`;
  style.left = `${Math.max(gapPx, Math.min(box.left, innerWidth - list.offsetWidth - gapPx))}px`;
  style.top = `${isBelow ? box.bottom + gapPx : box.top - gapPx - list.offsetHeight}px`;
}
