import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const save = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The pre-funded key of avalanchego's local networks, in both formats. */
const CB58 = 'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN'
const HEX = '0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027'

const firn = async (...argv: readonly string[]) => {
  const { code, lines, notes } = startFirn(['key', ...argv])
  return { code: await code, lines, notes: notes.join('\n') }
}

describe('firn key', () => {
  test('prints the addresses of a key for a network', async () => {
    expect((await firn('address', save('key', CB58), '--network', 'local')).lines).toEqual([
      'P-chain          P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
      'X-chain          X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
      'C-chain          C-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
      'EVM              0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC',
    ])
  })

  test('converts private keys between cb58 and hex', async () => {
    const both = save('both', `${CB58}\n${HEX.slice(2)}\n`)
    expect((await firn('convert', both)).lines).toEqual([HEX, CB58])
    expect((await firn('convert', both, '--to', 'cb58')).lines).toEqual([CB58, CB58])
  })

  test('creates a key that has the printed addresses and equals its other format', async () => {
    const made = (await firn('new', '--network', 'fuji')).lines
    const [cb58, hex, ...addresses] = made.map((line) => line.slice(17))
    expect((await firn('convert', save('new', cb58 ?? ''))).lines).toEqual([hex])
    const { lines } = await firn('address', save('new', hex ?? ''), '--network', 'fuji')
    expect(lines.map((line) => line.slice(17))).toEqual(addresses)
  })

  test.each([
    ['a mistyped key', CB58.replace('ewoq', 'ewpq'), 'key 1: private key: checksum mismatch'],
    ['a text that is not a key', 'hello', 'key 1: expected PrivateKey-… or 64 hex digits'],
  ])('rejects %s without printing it', async (_name, text, reason) => {
    const { code, notes } = await firn('address', save('bad', text))
    expect(code).toBe(1)
    expect(notes).toContain(reason)
    expect(notes).not.toContain(text.slice(-20))
  })

  test.each([CB58, HEX])('rejects a private key in the arguments without printing it', async (key) => {
    const { code, notes } = await firn('address', key)
    expect(code).toBe(2)
    expect(notes).toContain('a private key was passed as an argument')
    expect(notes).not.toContain(key.slice(15))
  })
})
