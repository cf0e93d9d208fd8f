/** The launcher gives the bundle this function, because the bundle cannot import packages by itself. */
declare const module: { importPackage?: (name: string) => Promise<unknown> } | undefined;

/** Imports the server package, or an entry of it. Undefined where it is not installed. */
export async function importServerPart<Part>(name: `@croft/server${string}`): Promise<Part | undefined> {
  const importPackage = (typeof module === 'object' && module.importPackage) || ((wanted: string) => import(wanted));
  try {
    return (await importPackage(name)) as Part;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'@croft/server'")) return undefined;
    throw error;
  }
}
