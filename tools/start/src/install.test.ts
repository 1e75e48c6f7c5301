import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashManifests, isInstalled, markInstalled } from './install.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'firn-install-'))
  for (const folder of ['packages/codec', 'node_modules/.bin'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const name of [
    'package.json',
    'pnpm-lock.yaml',
    'packages/codec/package.json',
    'node_modules/.bin/turbo',
  ])
    writeFileSync(join(root, name), '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

describe('isInstalled', () => {
  it('is true only after an install of the same dependencies', () => {
    const hash = hashManifests(root)
    expect(isInstalled(root, hash)).toBe(false)
    markInstalled(root, hash)
    expect(isInstalled(root, hash)).toBe(true)
    rmSync(join(root, 'node_modules/.bin/turbo'))
    expect(isInstalled(root, hash)).toBe(false)
  })
})

describe('hashManifests', () => {
  it.each(['pnpm-lock.yaml', 'packages/codec/package.json', 'tools/new/package.json'])(
    'changes with %s',
    (path) => {
      const before = hashManifests(root)
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), '{ "name": "other" }')
      expect(hashManifests(root)).not.toBe(before)
    },
  )

  it('does not change with sources', () => {
    const before = hashManifests(root)
    writeFileSync(join(root, 'packages/codec/index.ts'), '')
    expect(hashManifests(root)).toBe(before)
  })
})
