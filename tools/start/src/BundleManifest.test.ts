import { describe, expect, it } from 'vitest'
import { findProgram, inputs, ROOT, toUrl } from './BundleManifest.mjs'

const MANIFEST = {
  root: ROOT,
  programs: [['tools/cli/src/main.ts', 'node_modules/.firn-bundles/1/main.mjs']] as [string, string][],
  inputs: [
    ['tools/cli/src/main.ts', '1 10'],
    ['packages/codec/src/Hex.ts', '2 20'],
  ] as [string, string][],
}
const SOURCE = toUrl('tools/cli/src/main.ts')
const stampOf = (path: string) => (path.endsWith('Hex.ts') ? '2 20' : '1 10')

describe('inputs', () => {
  it('contains the sources, the lockfile and the bundler, but no installed files', () => {
    const read = ['packages/codec/src/Hex.ts', 'node_modules/.pnpm/pg@8/node_modules/pg/lib/index.js']
    expect(inputs(read)).toEqual([
      'pnpm-lock.yaml',
      'tools/start/src/bundle.mjs',
      'packages/codec/src/Hex.ts',
    ])
  })
})

describe('findProgram', () => {
  it('returns the file of the bundle while no input has changed', () => {
    expect(findProgram(MANIFEST, SOURCE, stampOf)).toBe(toUrl('node_modules/.firn-bundles/1/main.mjs'))
  })

  it.each(MANIFEST.inputs)('returns nothing after %s has changed', (changed) => {
    expect(findProgram(MANIFEST, SOURCE, (path) => (path === changed ? '3 30' : stampOf(path)))).toBe(
      undefined,
    )
  })

  it('returns nothing for a program that is not in the bundle', () => {
    expect(findProgram(MANIFEST, toUrl('tools/cli/src/other.ts'), stampOf)).toBe(undefined)
  })

  it('returns nothing for a bundle that was made in another folder', () => {
    expect(findProgram({ ...MANIFEST, root: '/elsewhere/' }, SOURCE, stampOf)).toBe(undefined)
  })
})
