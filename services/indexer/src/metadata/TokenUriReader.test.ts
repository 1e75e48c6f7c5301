import { Hex } from '@firn/codec'
import type { DueToken } from '@firn/evm-store'
import { expect, test } from 'vitest'
import { MOST_CHARACTERS } from './TokenUri.ts'
import { type CallContracts, createUriReader, type ReadUris, readApart } from './TokenUriReader.ts'

const signal = new AbortController().signal
const token = (tokenId: bigint, kind: 721 | 1155 = 721): DueToken => ({
  contract: new Uint8Array(20).fill(7),
  tokenId,
  kind,
  attempts: 0,
})
const word = (value: number | bigint): string => value.toString(16).padStart(64, '0')
const stringOf = (text: string): Uint8Array =>
  Hex.decode(`0x${word(32)}${word(Buffer.byteLength(text))}${Buffer.from(text).toString('hex')}`)

test('encodes the calls of both token standards with ids of 32 bytes', async () => {
  const made: string[] = []
  const call: CallContracts = async (calls) => {
    for (const { to, data } of calls) made.push(Hex.encode(to), Hex.encode(data))
    return calls.map(() => stringOf('x'))
  }
  const id = 0x0102030405060708_1112131415161718_2122232425262728_f1f2f3f4f5f6f7f8n
  await createUriReader(call)([token(id), token(2n ** 256n - 1n, 1155), token(0n)], signal)
  const contract = `0x${'07'.repeat(20)}`
  expect(made).toEqual([
    contract,
    '0xc87b56dd0102030405060708111213141516171821222324252627 28f1f2f3f4f5f6f7f8'.replace(' ', ''),
    contract,
    `0x0e89341c${'f'.repeat(64)}`,
    contract,
    `0xc87b56dd${'0'.repeat(64)}`,
  ])
})

test('treats results that are not text as reverted, and detects overlong text', async () => {
  const answers = [
    stringOf('ipfs://x'),
    new Uint8Array(),
    new Uint8Array(31),
    { error: 'unavailable' },
    { error: 'reverted' },
    stringOf('y'.repeat(MOST_CHARACTERS + 50)),
  ] as const
  const uris = await createUriReader(async () => answers)(
    answers.map(() => token(1n)),
    signal,
  )
  expect(uris.slice(0, 5)).toEqual([
    'ipfs://x',
    { error: 'reverted' },
    { error: 'reverted' },
    { error: 'unavailable' },
    { error: 'reverted' },
  ])
  expect(uris[5]).toHaveLength(MOST_CHARACTERS + 1)
})

test("returns each token's URI, or an error for the tokens for which the node fails", async () => {
  const read: ReadUris = async (tokens) => {
    if (tokens.some(({ tokenId }) => tokenId === 3n || tokenId === 12n)) throw new Error('the node fell over')
    return tokens.map(({ tokenId }) => `${tokenId}`)
  }
  const tokens = Array.from({ length: 17 }, (_, i) => token(BigInt(i)))
  const expected = tokens.map(({ tokenId }) =>
    tokenId === 3n || tokenId === 12n ? { error: 'unavailable' } : `${tokenId}`,
  )
  expect(await readApart(read, tokens, signal)).toEqual(expected)
  await expect(readApart(read, tokens.slice(3, 4), signal)).rejects.toThrow('fell over')
  await expect(readApart(() => Promise.reject(new Error('away')), tokens, signal)).rejects.toThrow('away')
})
