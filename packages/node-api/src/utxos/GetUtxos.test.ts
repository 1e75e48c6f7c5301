import { Id, ShortId } from '@firn/codec'
import { expect, test } from 'vitest'
import * as CUtxos from '../avax/CUtxos.ts'
import { recordedContext } from '../testing/chainReplay.ts'
import * as GetUtxos from './GetUtxos.ts'

test.each([
  [1024, undefined],
  [1024, 0],
  [1, 1],
  [1023, 1023],
  [1024, 1024],
  [1024, 1025],
  [1024, 4_294_967_295],
])('returns at most %i UTXOs with the parameter limit %s', (most, limit) => {
  expect(GetUtxos.limitOf({ limit })).toBe(most)
})

test('accepts 1,024 addresses and rejects 1,025 addresses or an empty list', () => {
  const of = (length: number) => () =>
    GetUtxos.assertAddresses({ addresses: Array.from({ length }, () => 'x') })
  expect(of(1024)).not.toThrow()
  expect(of(1025)).toThrow('number of addresses given, 1025, exceeds maximum, 1024')
  expect(of(0)).toThrow('no addresses provided')
})

test('starts a page at an address and a UTXO id, and reports an invalid address before an invalid id', () => {
  const parse = (text: string) => {
    if (text === '') throw new RangeError('no address')
    return new Uint8Array(20)
  }
  const start = (address: string, utxo: string) => () =>
    GetUtxos.startOf({ startIndex: { address, utxo } }, parse)
  expect(start('', '')()).toBeUndefined()
  expect(GetUtxos.startOf({}, parse)).toBeUndefined()
  expect(start('', Id.format(Id.EMPTY))).toThrow('no address')
  expect(start('', 'bad')).toThrow('no address')
  expect(start('a', '')).toThrow("couldn't parse start index utxo: base58 decoding error: zero length string")
  expect(start('a', Id.format(Id.EMPTY))()?.utxoId).toHaveLength(32)
})

test('returns an empty result for the JSON encoding, which cannot represent UTXOs', async () => {
  const context = await recordedContext('local')
  const addresses = [ShortId.format(new Uint8Array(20).fill(77))]
  const nothing = await GetUtxos.answer(context, 'X', { addresses, encoding: 'json' }, 'string')
  expect(nothing).toMatchObject({ numFetched: 0n, utxos: [], encoding: 'json' })
  expect(nothing.endIndex.utxo).toBe(Id.format(Id.EMPTY))
})

/** A blockchain of the recorded network whose chain the node under test does not run. */
const L1_CHAIN = 'zJ3KZPndiPgjuN41on8pWNH934XRvFhfvnUWBjuNRD5dUNivf'
const UNKNOWN = Id.format(new Uint8Array(32).fill(1))

test('returns an empty result on all three chains for a source blockchain without exports', async () => {
  const context = await recordedContext('local')
  const addresses = [ShortId.format(new Uint8Array(20).fill(77))]
  const params = { addresses, sourceChain: L1_CHAIN }
  const empty = { numFetched: 0n, utxos: [], encoding: 'hex' }
  for (const chain of ['P', 'X'] as const)
    expect(await GetUtxos.answer(context, chain, params, 'string')).toMatchObject(empty)
  const ofC = { ...params, addresses: ['C-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'] }
  expect(await CUtxos.coreth(context, await context.snapshot(), ofC)).toMatchObject(empty)
})

test('rejects a source id that belongs to no blockchain', async () => {
  const context = await recordedContext('local')
  const params = { addresses: [ShortId.format(new Uint8Array(20).fill(77))], sourceChain: UNKNOWN }
  await expect(GetUtxos.answer(context, 'X', params, 'string')).rejects.toThrow(
    `problem parsing source chainID "${UNKNOWN}": there is no ID with alias: ${UNKNOWN}`,
  )
  const helicon = await recordedContext('helicon')
  const ofC = { ...params, addresses: ['C-custom1kucwyn3yc3m3e8saa87922jewhdx3thhtrz3aj'] }
  await expect(CUtxos.saevm(helicon, await helicon.snapshot(), ofC)).rejects.toThrow(
    `parsing source chainID "${UNKNOWN}": there is no ID with alias: ${UNKNOWN}`,
  )
})
