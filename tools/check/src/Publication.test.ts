import { describe, expect, test } from 'vitest'
import * as Check from './Check.ts'
import * as Packed from './Packed.ts'
import { publication } from './rules/Publication.ts'
import type { Manifest } from './Workspace.ts'
import * as Workspace from './Workspace.ts'

const manifest = (name: string, fields: object) => JSON.stringify({ name: `@firn/${name}`, ...fields })

/** Returns the messages of the rules on a tarball with these files, of which one is a map that names `source`. */
const packed = (files: readonly string[], manifest: Manifest = {}, source = '../src/index.ts'): string =>
  Packed.problems(
    {
      owner: { folder: 'packages/codec', name: '@firn/codec', manifest },
      folder: '',
      tarball: '',
      manifest: { exports: { '.': {} }, ...manifest },
      files: [...BUILT, ...files],
    },
    () => JSON.stringify({ sources: [source] }),
  )
    .map(({ message }) => message)
    .join('\n')

const BUILT = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'src/index.ts',
  ...['js', 'd.ts', 'js.map', 'd.ts.map'].map((extension) => `dist/index.${extension}`),
]

describe('tarballs', () => {
  test('accepts a tarball with a built module, its source and its maps', () => {
    expect(packed([])).toBe('')
  })

  test.each(['src/Hex.test.ts', 'src/Hex.bench.ts', 'src/fixtures/a.ts', 'src/testing/vectors.ts'])(
    'reports the test file %s in a tarball',
    (file) => expect(packed([file])).toContain(`the tarball has 1 test files, such as ${file}`),
  )

  test('accepts exported test helpers', () => {
    expect(packed(['src/testing/index.ts'], { exports: { './testing': {} } })).toBe('')
  })

  test('reports a module without declarations and maps', () => {
    expect(packed(['dist/Hex.js'])).toContain('the tarball lacks 3 files, such as dist/Hex.d.ts')
  })

  test('reports a map whose source is not in the tarball', () => {
    expect(packed([], {}, '../../other/index.ts')).toContain('dist/index.js.map names ../other/index.ts')
  })

  test('reports an exact version of a dependency, and fields that concern only the repository', () => {
    expect(packed([], { dependencies: { ws: '8.21.0' } })).toContain('the dependency ws 8.21.0')
    expect(packed([], { devDependencies: {} })).toContain('has devDependencies')
    expect(packed([], { exports: { '.': { source: './src/index.ts' } } })).toContain('the condition source')
  })
})

describe('publication', () => {
  const address = 'https://example.org/firn'
  const root = {
    license: 'MIT',
    homepage: `${address}#readme`,
    repository: { type: 'git', url: address },
    bugs: `${address}/issues`,
  }
  const codec = {
    ...root,
    type: 'module',
    description: 'Text forms.',
    keywords: ['avalanche', 'codec', 'cb58'],
    homepage: `${address}/tree/main/packages/codec#readme`,
    repository: { type: 'git', url: address, directory: 'packages/codec' },
    sideEffects: false,
    engines: { node: '>=20.19' },
    files: ['dist', '!**/*.test.*', '!**/*.bench.*', '!**/*.test-d.*', '!**/fixtures'],
    exports: {},
  }
  const check = async (changes: object, texts: Readonly<Record<string, string>> = {}): Promise<string> => {
    const workspace = Workspace.fromTexts({
      'package.json': JSON.stringify(root),
      'tools/check/package.json': '{ "private": true, "typescript-least": "npm:typescript@5.7.3" }',
      'packages/bls/package.json': manifest('bls', { private: true, engines: { node: '>=22.18' } }),
      'packages/codec/package.json': manifest('codec', { ...codec, ...changes }),
      'packages/codec/tsconfig.json': '{ "extends": "../../tsconfig.node20.json" }',
      'packages/codec/README.md': '`npm install @firn/codec` needs Node 20.19 and TypeScript 5.7.',
      ...texts,
    })
    const [outcome] = await Check.run(workspace, [publication])
    return outcome?.violations.map(({ message }) => message).join('\n') ?? ''
  }

  test('accepts a package that a registry and its users can understand', async () => {
    expect(await check({})).toBe('')
  })

  test.each([
    [{ repository: root.repository }, 'repository should be'],
    [{ homepage: undefined }, 'homepage should be'],
    [{ license: 'ISC' }, 'license should contain MIT'],
    [{ keywords: ['avalanche'] }, 'keywords should be'],
    [{ sideEffects: undefined }, 'sideEffects should be true or false'],
    [{ files: ['dist'] }, 'files should contain "!**/*.test.*"'],
    [{ engines: undefined }, 'engines.node should be the least version'],
    [{ dependencies: { '@firn/bls': 'workspace:^' } }, '@firn/bls needs a later version'],
  ])('rejects a package with %o', async (changes, message) => {
    expect(await check(changes)).toContain(message)
  })

  test('rejects a README without installation, and a package for Node 20 that is not compiled for it', async () => {
    expect(await check({}, { 'packages/codec/README.md': '# codec' })).toContain('npm install @firn/codec')
    const text = await check({}, { 'packages/codec/tsconfig.json': '{}' })
    expect(text).toContain('its tsconfig.json should extend tsconfig.node20.json')
  })
})
