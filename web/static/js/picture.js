// The camera picture on a canvas. The page asks for one picture at a time, so a slow phone gets fewer.

const LEAST_GAP_MS = 100;
const UNFIT_MS = 400; // before the next picture is asked for where one does not fit the mat
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Picture {
  /**
   * `onChange(there)` is called when the first picture is there, and when pictures stop; `onSeen` with each picture of
   * the camera: where the mat's corners lie in it, as shares of its sides (null: the mat was not found, or fills it),
   * and its width over its height.
   * @param {any} canvas
   * @param {(there: boolean) => void} onChange
   * @param {((corners: [number, number][] | null, shape: number) => void) | null} onSeen
   */
  constructor(canvas, onChange, onSeen = null) {
    this.canvas = canvas;
    this.onChange = onChange;
    this.onSeen = onSeen;
    this.view = null;
    this.there = false;
    this.round = 0;
    this.after = -1; // the number of the picture that is shown
    this.mat = ""; // the name of the mat that is drawn over it; "": none is, and any picture will do
    /** @type {string | null} */
    this.seen = null; // the name of the mat that the picture shows
  }

  // The mat that is drawn over the pictures: those of another are not shown under it.
  /** @param {Api.Mat | null} mat */
  under(mat) {
    if ((mat?.name ?? "") === this.mat) return;
    this.mat = mat?.name ?? "";
    this.after = -1;
    if (!this.fits()) this.set(false);
  }

  // Whether the picture may lie under what is drawn.
  fits() {
    return this.view !== "mat" || !this.mat || this.seen === this.mat;
  }

  // "mat", "camera", or null for none.
  show(view) {
    if (view === this.view) return;
    this.view = view;
    this.set(false);
    this.onSeen?.(null, 1);
    if (view) this.run(++this.round);
    else this.round++;
  }

  set(there) {
    if (there === this.there) return;
    this.there = there;
    this.onChange(there);
  }

  async run(round) {
    let same = 0;
    this.after = -1;
    while (round === this.round) {
      if (document.hidden) {
        await pause(300);
        continue;
      }
      const began = performance.now();
      try {
        const ask = `/frame.jpg?when=changed&view=${this.view}${this.after >= 0 ? `&after=${this.after}` : ""}`;
        const answer = await fetch(ask, { cache: "no-store", signal: AbortSignal.timeout(8000) });
        if (answer.status === 200) {
          this.after = Number(answer.headers.get("X-Frame-Number"));
          same = 0;
          const bitmap = await createImageBitmap(await answer.blob());
          if (round !== this.round) return;
          this.onSeen?.(cornersOf(answer.headers.get("X-Mat-Corners")), bitmap.width / bitmap.height);
          this.seen = answer.headers.get("X-Mat");
          if (this.fits()) this.paint(bitmap);
          else {
            bitmap.close();
            this.after = -1;
            this.set(false);
            await pause(UNFIT_MS);
          }
        } else if (answer.status === 204) {
          if (++same === 6) this.after = -1; // the table was started again: picture numbers start from 0
        } else {
          if (round === this.round) this.set(false);
          await pause(1500);
        }
      } catch {
        this.after = -1;
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

// "x,y x,y x,y x,y" as places.
/** @type {(header: string | null) => [number, number][] | null} */
const cornersOf = (header) => header?.split(" ").map((each) =>
  /** @type {[number, number]} */ (each.split(",").map(Number))) ?? null;
