declare module 'bzip2-wasm' {
  /** libbzip2, compiled to WebAssembly. */
  export default class BZip2 {
    /** The WebAssembly module that the methods use. */
    wasmModule: object;
    /**
     * Returns one complete stream. `blockSize` is in units of 100 kB; `compressedSize` is an upper bound of the
     * result's size.
     */
    compress(bytes: Uint8Array, blockSize: number, compressedSize: number): Uint8Array<ArrayBuffer>;
  }
}

declare module 'bzip2-wasm/bzip2-1.0.8/bzip2.mjs' {
  /**
   * Loads the WebAssembly. Installs handlers of its own: for worker threads only. Expects `require` and `__dirname` as global
   * variables.
   */
  export default function loadModule(options: { locateFile: (name: string) => string }): Promise<object>;
}
