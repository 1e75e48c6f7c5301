import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as OldestCompiler from './OldestCompiler.ts'

let folder: string

const write = (path: string, text: string): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'firn-oldest-'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['es5'],
    moduleResolution: 'bundler',
    module: 'esnext',
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['user.ts'] }))
  write('user.ts', "import './node_modules/@firn/own/index.d.ts'\nimport './node_modules/other/index.d.ts'\n")
  write('node_modules/@firn/own/index.d.ts', 'export declare const own: Missing\n')
  write('node_modules/other/index.d.ts', 'export declare const other: Missing\n')
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('OldestCompiler.messages', () => {
  it('reports errors of Firn packages every time, and errors of other libraries once', () => {
    const compiler = OldestCompiler.create(folder, OldestCompiler.isOwn(folder))
    const own = "node_modules/@firn/own/index.d.ts(1,27): error TS2304: Cannot find name 'Missing'.\n"
    const other = "node_modules/other/index.d.ts(1,29): error TS2304: Cannot find name 'Missing'.\n"
    const project = join(folder, 'tsconfig.json')
    expect(compiler.messages(project)).toBe(own + other)
    expect(compiler.messages(project)).toBe(own)
  })

  it('reports a wrong configuration', () => {
    const project = write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { lib: ['es5'], types: [] }, files: ['missing.ts'] }),
    )
    const compiler = OldestCompiler.create(folder, OldestCompiler.isOwn(folder))
    expect(compiler.messages(project)).toMatch(/^error TS6053: File '.*missing\.ts' not found/)
  })
})
