import { join } from 'node:path'
import { Workspace } from '@firn/check'
import { describe, expect, it } from 'vitest'
import * as Release from './Release.ts'

const manifest = (name: string, rest: object = {}) =>
  JSON.stringify({ name: `@firn/${name}`, version: '0.2.0', ...rest })
const changelog = (name: string) => `# @firn/${name}\n\n## 0.2.0\n\nThe first release.\n`

/** A correct workspace of three packages and an example. */
const GOOD = {
  '.changeset/README.md': '# Changesets\n',
  'deploy/kubernetes/kustomization.yaml':
    'images:\n  - { name: firn, newName: a.example/firn, newTag: 0.2.0 }\n',
  'examples/stake/package.json': manifest('example-stake', {
    private: true,
    dependencies: { '@firn/codec': '^0.2.0', viem: '^2.0.0' },
  }),
  'packages/codec/CHANGELOG.md': changelog('codec'),
  'packages/codec/package.json': manifest('codec'),
  'tools/check/package.json': manifest('check', { private: true }),
  'tools/cli/CHANGELOG.md': changelog('cli'),
  'tools/cli/package.json': manifest('cli', { dependencies: { '@firn/codec': 'workspace:*' } }),
}

const found = (changes: Readonly<Record<string, string>>) =>
  Release.problems(Workspace.fromTexts({ ...GOOD, ...changes })).map(
    ({ where, message }) => `${where} ${message}`,
  )

describe('problems', () => {
  it('finds none in a correct workspace', () => {
    expect(found({})).toEqual([])
  })

  it.each([
    [
      'another version of a package',
      { 'packages/codec/package.json': manifest('codec', { version: '0.1.0' }) },
      'packages/codec/package.json has version 0.1.0, but @firn/cli has 0.2.0',
    ],
    [
      'another version of a private package',
      { 'tools/check/package.json': manifest('check', { private: true, version: '0.1.0' }) },
      'tools/check/package.json has version 0.1.0, but @firn/cli has 0.2.0',
    ],
    [
      'an example for an earlier version',
      {
        'examples/stake/package.json': manifest('example-stake', {
          private: true,
          dependencies: { '@firn/codec': '^0.1.0' },
        }),
      },
      'examples/stake/package.json depends on @firn/codec ^0.1.0, but the release is 0.2.0',
    ],
    [
      'a changelog without the version',
      { 'packages/codec/CHANGELOG.md': '# @firn/codec\n\n## 0.1.0\n\nEarlier.\n' },
      'packages/codec/package.json packages/codec/CHANGELOG.md needs the heading "# @firn/codec" and a section "## 0.2.0"',
    ],
    [
      'a changelog with an empty section',
      { 'packages/codec/CHANGELOG.md': '# @firn/codec\n\n## 0.2.0\n' },
      'packages/codec/package.json packages/codec/CHANGELOG.md needs the heading "# @firn/codec" and a section "## 0.2.0"',
    ],
    [
      'another tag of the image',
      { 'deploy/kubernetes/kustomization.yaml': '  - { name: firn, newTag: 0.1.0 }\n' },
      'deploy/kubernetes/kustomization.yaml the image has tag 0.1.0, but the release is 0.2.0',
    ],
  ])('finds %s', (_, changes, message) => {
    expect(found(changes as Readonly<Record<string, string>>)).toEqual([message])
  })

  it('finds none in this repository', () => {
    expect(Release.problems(Workspace.open(join(import.meta.dirname, '../../..')))).toEqual([])
  })
})

describe('pending', () => {
  it('lists changesets, but not the README of their folder', () => {
    const workspace = Workspace.fromTexts({
      ...GOOD,
      '.changeset/new-method.md': "---\n'@firn/codec': minor\n---\n",
    })
    expect(Release.pending(workspace)).toEqual([
      { where: '.changeset/new-method.md', message: 'is not in a changelog; run npm run release:version' },
    ])
  })
})

describe('notes', () => {
  it('returns the section of one version', () => {
    const text = '# a\n\n## 0.3.0\n\nNewer than\n0.2.0\n\n## 0.2.0\n\nOld.\n\n### Details\n'
    expect(Release.notes(text, '0.3.0')).toBe('Newer than\n0.2.0')
    expect(Release.notes(text, '0.2.0')).toBe('Old.\n\n### Details')
    expect(Release.notes(text, '0.1.0')).toBe('')
  })
})

const owner = (folder: string) => ({ folder, name: folder, manifest: {} })

describe('checkTarballs', () => {
  it('finds tarballs of another version, and dependencies that are not on the release', () => {
    const installed = [
      {
        owner: owner('a'),
        manifest: { version: '0.2.0', dependencies: { '@firn/b': '^0.2.0', pg: '^8.0.0' } },
      },
      { owner: owner('b'), manifest: { version: '0.1.0' } },
      { owner: owner('c'), manifest: { version: '0.2.0', dependencies: { '@firn/b': 'workspace:*' } } },
    ]
    expect(Release.checkTarballs(installed, '0.2.0')).toEqual([
      { where: 'b', message: 'the tarball has version 0.1.0; the release is 0.2.0' },
      { where: 'c', message: 'the tarball depends on @firn/b workspace:*; the release is 0.2.0' },
    ])
  })
})

describe('format', () => {
  it('prints the version, size and contents of each tarball, and the sum', () => {
    const exports = { '.': './dist/index.js', './testing': './dist/testing.js' }
    const installed = [
      { manifest: { name: '@firn/codec', version: '0.2.0', exports }, files: ['a', 'b'] },
      { manifest: { name: '@firn/cli', version: '0.2.0', bin: { firn: './firn.js' } }, files: ['c'] },
    ]
    expect(Release.format(installed, [1_500, 2_000_000])).toBe(
      [
        '@firn/codec@0.2.0                2 kB  2 files, 2 entry points',
        '@firn/cli@0.2.0               2000 kB  1 file, program firn',
        '2 packages, 2002 kB, tag latest, access public',
      ].join('\n'),
    )
  })
})
