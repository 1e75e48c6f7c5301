import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as LocalAccess from './LocalAccess.ts'
import * as LocalToken from './LocalToken.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firn-token-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777
const TOKEN = /^firnop_[A-Za-z0-9_-]{43}$/
const refusal = expect.objectContaining({ code: 'HTTP_TOKEN' })

describe('LocalToken.open', () => {
  it('creates a token that only its owner can read, whatever the umask is', () => {
    const before = process.umask(0)
    try {
      const inside = join(folder, 'new', 'data')
      expect(LocalToken.open(inside, randomBytes)).toMatch(TOKEN)
      expect(modeOf(LocalToken.pathIn(inside))).toBe(0o600)
      expect(modeOf(inside)).toBe(0o700)
      expect(readdirSync(inside)).toEqual(['operator-token'])
    } finally {
      process.umask(before)
    }
  })

  it('returns the same token to all services with the folder', () => {
    const token = LocalToken.open(folder, randomBytes)
    expect(LocalToken.open(folder, randomBytes)).toBe(token)
    expect(LocalToken.read(folder)).toBe(token)
  })

  it.each<[string, (path: string) => void]>([
    ['that others may read', (path) => chmodSync(path, 0o644)],
    ['that its group may write', (path) => chmodSync(path, 0o660)],
    ['without a token', (path) => writeFileSync(path, 'x\n')],
    ['without anything', (path) => writeFileSync(path, '')],
    [
      'that links to another file',
      (path) => {
        const text = readFileSync(path)
        rmSync(path)
        writeFileSync(`${path}.other`, text, { mode: 0o600 })
        symlinkSync(`${path}.other`, path)
      },
    ],
  ])('replaces a file %s', (_name, spoil) => {
    const token = LocalToken.open(folder, randomBytes)
    const path = LocalToken.pathIn(folder)
    spoil(path)
    expect(() => LocalToken.read(folder)).toThrow(refusal)
    const fresh = LocalToken.open(folder, randomBytes)
    expect(fresh).not.toBe(token)
    expect([LocalToken.read(folder), modeOf(path)]).toEqual([fresh, 0o600])
  })

  it('replaces a file of another user', () => {
    const token = LocalToken.open(folder, randomBytes)
    const user = process.getuid?.() ?? 0
    const spy = vi.spyOn(process, 'getuid').mockReturnValue(user + 1)
    try {
      expect(() => LocalToken.read(folder)).toThrow(refusal)
      expect(LocalToken.open(folder, randomBytes)).not.toBe(token)
    } finally {
      spy.mockRestore()
    }
  })

  it('refuses a folder that cannot be written, and says what to do', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => LocalToken.open(join(folder, 'file'), randomBytes)).toThrow(
      expect.objectContaining({
        code: 'HTTP_TOKEN',
        message: expect.stringMatching(/--data-dir.*scope admin/),
      }),
    )
    mkdirSync(join(folder, 'taken', 'operator-token'), { recursive: true })
    expect(() => LocalToken.open(join(folder, 'taken'), randomBytes)).toThrow(refusal)
    expect(readdirSync(join(folder, 'taken'))).toEqual(['operator-token'])
  })
})

describe('LocalAccess.open', () => {
  it('logs that only keys give access if the folder cannot be written', () => {
    const warnings: unknown[] = []
    writeFileSync(join(folder, 'file'), '')
    const log = { warn: (facts: object, message: string) => void warnings.push([message, facts]) }
    expect(LocalAccess.open({ folder: join(folder, 'file'), log })).toBeUndefined()
    expect(warnings).toEqual([
      ['operators on this machine need an API key', { reason: expect.stringContaining('operator-token') }],
    ])
  })
})

describe('LocalAccess.announce', () => {
  const announced = (url: string, isInteractive: boolean) => {
    const lines: string[] = []
    const log = { warn: () => undefined }
    const local = LocalAccess.open({ folder, log })
    LocalAccess.announce(local, url, { isInteractive, note: (line) => lines.push(line) })
    return lines.join('\n')
  }

  it('shows a link at a terminal only, because other output may be stored', () => {
    expect(announced('http://127.0.0.1:8700', true)).toMatch(
      /http:\/\/127\.0\.0\.1:8700\/#operator=[\w-]{72}\n/,
    )
    expect(announced('http://127.0.0.1:8700', false)).toBe('')
  })

  it('shows no link to an address at which it does not count', () => {
    expect(announced('http://10.0.0.7:8700', true)).toBe('')
    expect(announced('http://[::1]:8700', true)).toContain('#operator=')
  })
})
