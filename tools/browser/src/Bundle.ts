import { build } from 'esbuild'

/**
 * Returns a module with everything that it imports as one script for browsers. The script keeps the exports of the
 * module in the global variable `name`.
 * @example
 * ```ts
 * import { bundle } from '@firn/browser'
 *
 * const script = await bundle('packages/rpc/src/index.ts', 'rpc') // 'var rpc = …'
 * ```
 * @throws the error of esbuild if a module is not found, or is one of Node's
 */
export async function bundle(path: string, name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: name,
    platform: 'browser',
    target: 'es2022',
    conditions: ['source', 'browser', 'import'],
    tsconfigRaw: { compilerOptions: { target: 'es2022', verbatimModuleSyntax: true } },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
