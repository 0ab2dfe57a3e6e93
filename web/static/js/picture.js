// The camera picture on a canvas. The page asks for one picture at a time, so a slow phone gets fewer.

const LEAST_GAP_MS = 100;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Picture {
  // `onChange(there)` is called when the first picture is there, and when pictures stop.
  constructor(canvas, onChange) {
    this.canvas = canvas;
    this.onChange = onChange;
    this.view = null;
    this.there = false;
    this.round = 0;
  }

  // "mat", "camera", or null for none.
  show(view) {
    if (view === this.view) return;
    this.view = view;
    this.set(false);
    if (view) this.run(++this.round);
    else this.round++;
  }

  set(there) {
    if (there === this.there) return;
    this.there = there;
    this.onChange(there);
  }

  async run(round) {
    let after = -1, same = 0;
    while (round === this.round) {
      if (document.hidden) {
        await pause(300);
        continue;
      }
      const began = performance.now();
      try {
        const ask = `/frame.jpg?when=changed&view=${this.view}${after >= 0 ? `&after=${after}` : ""}`;
        const answer = await fetch(ask, { cache: "no-store", signal: AbortSignal.timeout(8000) });
        if (answer.status === 200) {
          after = Number(answer.headers.get("X-Frame-Number"));
          same = 0;
          const bitmap = await createImageBitmap(await answer.blob());
          if (round !== this.round) return;
          this.paint(bitmap);
        } else if (answer.status === 204) {
          if (++same === 6) after = -1; // the table was started again: picture numbers start from 0
        } else {
          if (round === this.round) this.set(false);
          await pause(1500);
        }
      } catch {
        after = -1;
        if (round === this.round) this.set(false);
        await pause(1500);
      }
      await pause(Math.max(0, LEAST_GAP_MS - (performance.now() - began)));
    }
  }

  paint(bitmap) {
    const { canvas } = this;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    this.set(true);
  }
}
