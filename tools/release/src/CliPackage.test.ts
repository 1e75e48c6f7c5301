import { describe, expect, it } from 'vitest'
import { readCatalog, relocate, selectDependencies } from './CliPackage.mjs'

describe('relocate', () => {
  it('replaces the location of a module, and returns the files beside it', () => {
    const text = `const a = new URL('../vectors/a.gz', import.meta.url)\nconst b = new URL(name, import.meta.url)\n`
    const here = 'new URL("tools/demo/src/a.js", packageRoot).href'
    expect(relocate(text, 'tools/demo/src/a.ts')).toEqual({
      contents: `const a = new URL('../vectors/a.gz', ${here})\nconst b = new URL(name, ${here})\n`,
      files: ['tools/demo/vectors/a.gz'],
    })
  })

  it('does not return a folder that contains the module', () => {
    expect(relocate("new URL('..', import.meta.url)", 'services/a/src/common/Version.ts').files).toEqual([])
  })

  it('rejects other uses of import.meta, except in comments', () => {
    expect(() => relocate('const a = import.meta.dirname', 'tools/a/src/a.ts')).toThrow(
      'tools/a/src/a.ts: only import.meta.url is supported',
    )
    expect(relocate(' * import.meta.dirname', 'tools/a/src/a.ts').files).toEqual([])
  })
})

describe('selectDependencies', () => {
  const catalog = readCatalog(
    "packages:\n  - packages/*\n\ncatalog:\n  pg: ^8.23.1\n  '@scure/base': ^2.4.0\n",
  )

  it('returns sorted ranges from the catalog, without packages of the workspace', () => {
    const manifests = [
      { dependencies: { pg: 'catalog:', '@firn/codec': 'workspace:*' } },
      {},
      { dependencies: { '@scure/base': 'catalog:', ws: '^8.0.0' } },
    ]
    expect(Object.entries(selectDependencies(manifests, catalog))).toEqual([
      ['@scure/base', '^2.4.0'],
      ['pg', '^8.23.1'],
      ['ws', '^8.0.0'],
    ])
  })

  it('rejects a package that the catalog lacks', () => {
    expect(() => selectDependencies([{ dependencies: { absent: 'catalog:' } }], catalog)).toThrow(
      'the catalog has no version of absent',
    )
  })
})
