import { describe, expect, it } from 'vitest'
import { placeAll } from './Placement.mjs'

type Manifest = { dependencies?: object; optionalDependencies?: object }

/** Installed packages by folder, such as `a@1`. Each finds the version that its own dependencies name. */
function placements(direct: Record<string, string>, manifests: Record<string, Manifest>) {
  return Object.fromEntries(
    placeAll(new Map(Object.entries(direct)), {
      readManifest: (folder: string) => manifests[folder] ?? {},
      find: (name: string, from: string) => {
        const { dependencies, optionalDependencies } = manifests[from] ?? {}
        const version = ({ ...dependencies, ...optionalDependencies } as Record<string, string>)[name]
        return version === 'absent' ? undefined : `${name}@${version}`
      },
    }),
  )
}

describe('placeAll', () => {
  it('places a dependency at the top, once', () => {
    const manifests = { 'a@1': { dependencies: { c: '1' } }, 'b@1': { dependencies: { c: '1' } } }
    expect(placements({ a: 'a@1', b: 'b@1' }, manifests)).toEqual({ a: 'a@1', b: 'b@1', c: 'c@1' })
  })

  it('places another version below the package that needs it', () => {
    const manifests = { 'a@1': { dependencies: { c: '1' } }, 'b@1': { dependencies: { c: '2' } } }
    expect(placements({ a: 'a@1', b: 'b@1' }, manifests)).toEqual({
      a: 'a@1',
      b: 'b@1',
      c: 'c@1',
      'b/node_modules/c': 'c@2',
    })
  })

  it('ends for packages that need each other', () => {
    const manifests = { 'a@1': { dependencies: { c: '1' } }, 'c@1': { dependencies: { a: '1' } } }
    expect(placements({ a: 'a@1' }, manifests)).toEqual({ a: 'a@1', c: 'c@1' })
  })

  it('leaves out an optional dependency that is not installed, and rejects a missing required one', () => {
    expect(placements({ a: 'a@1' }, { 'a@1': { optionalDependencies: { c: 'absent' } } })).toEqual({
      a: 'a@1',
    })
    expect(() => placements({ a: 'a@1' }, { 'a@1': { dependencies: { c: 'absent' } } })).toThrow(
      'a@1 needs c, which is not installed',
    )
  })
})
