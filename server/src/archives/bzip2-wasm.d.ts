declare module 'bzip2-wasm' {
  /** libbzip2, compiled to WebAssembly. */
  export default class BZip2 {
    /** Loads it. Installs handlers and globals of its own: for worker threads only. */
    init(): Promise<void>;
    /** One whole stream. `blockSize` in units of 100 kB; `compressedSize` must hold the result. */
    compress(bytes: Uint8Array, blockSize: number, compressedSize: number): Uint8Array<ArrayBuffer>;
  }
}
