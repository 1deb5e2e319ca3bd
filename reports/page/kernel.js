"use strict";

/* A kernel: a module of WebAssembly with the memory it works in. A word has 64 bits and lies in
 * memory as two numbers of 32 bits, the lower first; a BigInt is made only where a function takes
 * or gives one. */

const WORD = 8;
const PAGE = 65536;
const HALF = 2 ** 32;

/** Those *halves* of a position, with the value number *reading*[n] in the n-th of *cells*. */
function withReading(halves, cells, reading) {
  const changed = Uint32Array.from(halves);
  cells.forEach(({ word, shift, bits }, number) => {
    for (let bit = 0; bit < bits; bit += 1) {
      const [at, mask] = [2 * word + ((shift + bit) >> 5), 1 << ((shift + bit) & 31)];
      changed[at] = (reading[number] >> bit) & 1 ? changed[at] | mask : changed[at] & ~mask;
    }
  });
  return changed;
}

class Kernel {
  /** The functions of *module*, compiled, with up to *most* bytes of memory, of which the first
   * page is the module's own. */
  constructor(module, most) {
    const maximum = Math.max(1, Math.floor(most / PAGE));
    this.most = maximum * PAGE;
    this.memory = new WebAssembly.Memory({ initial: 1, maximum });
    this.calls = new WebAssembly.Instance(module, {
      env: { __linear_memory: this.memory },
    }).exports;
    this.cells = new Uint32Array(this.memory.buffer);
  }

  /** Have the first *bytes* of memory; return whether the machine has them. Each growth has all
   * garbage collected, so memory grows by a quarter at least. */
  has(bytes) {
    const present = this.memory.buffer.byteLength;
    if (bytes <= present) return true;
    const more = Math.min(present * 1.25, this.most);
    return (bytes < more && this.grow(more)) || this.grow(bytes);
  }

  /** Take memory up to *bytes*; return whether there is so much. */
  grow(bytes) {
    try {
      this.memory.grow(Math.ceil(bytes / PAGE) - this.memory.buffer.byteLength / PAGE);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.cells = new Uint32Array(this.memory.buffer);
    return true;
  }

  /** The number at *address*, which is less than 2 ** 53. */
  number(address) {
    return this.cells[address >>> 2] + this.cells[(address >>> 2) + 1] * HALF;
  }

  /** Write *value*, which is not negative and less than 2 ** 53, to *address*. */
  put(address, value) {
    this.cells[address >>> 2] = value % HALF;
    this.cells[(address >>> 2) + 1] = Math.floor(value / HALF);
  }

  /** Write to the header of a buffer at *out* how many items there may be on each zone, if *limits*
   * says how. */
  limit(out, limits, sizes) {
    if (!limits) return;
    let word = 0n;
    sizes.forEach((size, number) => (word |= BigInt(size) << BigInt(number * limits.bits)));
    this.store(out + limits.cell * WORD, [Number(word & 0xffffffffn), Number(word >> 32n)]);
  }

  /** The *number* words at *address*, as halves. */
  words(address, number) {
    return this.cells.slice(address >>> 2, (address >>> 2) + 2 * number);
  }

  /** Write *halves* to *address*. */
  store(address, halves) {
    this.cells.set(halves, address >>> 2);
  }
}
