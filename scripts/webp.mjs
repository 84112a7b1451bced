// WebP pictures by the browser that took them: small, in every README, and moving ones without an encoder of our own.

const u24 = (n) => Buffer.from([n & 255, (n >> 8) & 255, (n >> 16) & 255]);

function chunk(name, data) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), size, data, Buffer.alloc(data.length % 2)]);
}

/** The chunk with the picture itself, of a file that is one picture. */
function frameOf(file) {
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const length = 8 + file.readUInt32LE(at + 4);
    if (name === 'VP8 ' || name === 'VP8L') return file.subarray(at, at + length + (length % 2));
    at += length + (length % 2);
  }
  throw new Error('this is no WebP picture');
}

/** One file that shows these pictures of one size after one another, for ever; `ms` is how long each stays. */
export function animate(frames, { width, height }) {
  const parts = frames.map(({ file, ms }) =>
    chunk(
      'ANMF',
      Buffer.concat([u24(0), u24(0), u24(width - 1), u24(height - 1), u24(ms), Buffer.from([0]), frameOf(file)]),
    ),
  );
  const isAnimated = 0x02;
  const head = chunk('VP8X', Buffer.concat([Buffer.from([isAnimated, 0, 0, 0]), u24(width - 1), u24(height - 1)]));
  const body = Buffer.concat([head, chunk('ANIM', Buffer.alloc(6)), ...parts]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), size, Buffer.from('WEBP', 'latin1'), body]);
}

/** PNG pictures side by side, each under its caption, no wider than this in all; as WebP. */
export async function sideBySide(browser, pictures, width, quality = 0.82) {
  const page = await browser.newPage();
  try {
    const data = await page.evaluate(
      async ([all, most, share]) => {
        const gap = all.length > 1 ? 24 : 0;
        const head = all.length > 1 ? 40 : 0;
        const images = await Promise.all(
          all.map(async ({ png }) => {
            const image = new Image();
            image.src = `data:image/png;base64,${png}`;
            await image.decode();
            return image;
          }),
        );
        const whole = images.reduce((sum, image) => sum + image.width, 0) + gap * (images.length - 1);
        const scale = Math.min(1, most / whole);
        const canvas = document.createElement('canvas');
        canvas.width = Math.round(whole * scale);
        canvas.height = Math.round(Math.max(...images.map((image) => image.height)) * scale) + head;
        const context = canvas.getContext('2d', { alpha: false });
        context.fillStyle = '#ffffff';
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.imageSmoothingQuality = 'high';
        let x = 0;
        for (const [index, image] of images.entries()) {
          context.fillStyle = '#566170';
          context.font = '600 20px sans-serif';
          context.fillText(all[index].word ?? '', x + 2, 26);
          context.drawImage(image, x, head, image.width * scale, image.height * scale);
          x += (image.width + gap) * scale;
        }
        return canvas.toDataURL('image/webp', share);
      },
      [pictures.map(({ png, word }) => ({ png: png.toString('base64'), word })), width, quality],
    );
    return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
  } finally {
    await page.close();
  }
}
