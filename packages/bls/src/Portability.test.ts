import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const directory = fileURLToPath(new URL('.', import.meta.url))

/**
 * Runs the code in `before` in a plain Node process. Returns the name of the engine that Node selects
 * afterwards, and whether that engine verifies a signature.
 */
function engineOnNode(before: string): string {
  const script = `${before}
    const { Engine, SecretKey, Signature } = await import('./index.ts')
    const secretKey = SecretKey.generate(new Uint8Array(32))
    const signature = Signature.sign(secretKey, new Uint8Array(1))
    const valid = Signature.verify(SecretKey.publicKey(secretKey), new Uint8Array(1), signature)
    console.log(Engine.standard.name, valid)`
  const flags = ['--conditions=source', '--no-warnings', '--input-type=module', '--eval', script]
  return execFileSync(process.execPath, flags, { cwd: directory, encoding: 'utf8' }).trim()
}

test('selects blst on Node', () => {
  expect(engineOnNode('')).toBe('blst true')
})

test('selects noble on Node if blst fails to load', () => {
  const missing = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name === '@chainsafe/blst') throw new Error('no binary for this platform')
      return next(name, context)
    } })`
  expect(engineOnNode(missing)).toBe('noble true')
})

test('bundles noble for browsers, without blst and without Node modules', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { Engine, SecretKey, Signature } from './index.ts'
        const secretKey = SecretKey.random()
        const signature = Signature.sign(secretKey, new Uint8Array(1))
        export const name = Engine.standard.name
        export const valid = Signature.verify(SecretKey.publicKey(secretKey), new Uint8Array(1), signature)`,
      resolveDir: directory,
    },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
    logLevel: 'silent',
  })
  expect(Object.keys(metafile.inputs).filter((input) => /blst|engine\.node/.test(input))).toEqual([])
  const [bundle] = outputFiles
  const url = `data:text/javascript;base64,${Buffer.from(bundle?.contents ?? []).toString('base64')}`
  expect({ ...(await import(url)) }).toEqual({ name: 'noble', valid: true })
})
