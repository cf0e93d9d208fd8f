/** A compiled module, which threads can share. */
export type WasmModule = { readonly brand: 'WebAssembly.Module' };

/** Node's WebAssembly: its types come with those of browsers, which this package does without. */
export const webAssembly = (
  globalThis as unknown as {
    readonly WebAssembly: {
      compile(bytes: Uint8Array): Promise<WasmModule>;
      readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object;
    };
  }
).WebAssembly;
