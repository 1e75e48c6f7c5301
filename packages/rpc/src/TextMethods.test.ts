import { Id, Json, NodeId } from '@firn/codec'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as text from './browser.ts'
import * as checked from './index.ts'
import { exchanges } from './testing/recordings.ts'
import { tokens } from './testing/tokens.ts'

const APIS = [
  'AdminMethods',
  'AvaxMethods',
  'AvmMethods',
  'HealthMethods',
  'IndexMethods',
  'InfoMethods',
  'PlatformMethods',
  'ProposerVmMethods',
  'WalletMethods',
] as const
const merge = (tables: Readonly<Record<(typeof APIS)[number], checked.ClientTable>>): checked.ClientTable =>
  Object.assign({}, ...APIS.map((name) => tables[name]))
const TEXT = merge(text)
const CHECKED = merge(checked)

/** Returns the values without parts in a value or JSON, in their order and as text. */
function leaves(value: unknown): readonly string[] {
  if (value instanceof Map) return leaves(Object.fromEntries(value))
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
  return [/^-?\d+\.\d{4}$/.test(String(value)) ? String(Number(value)) : String(value)]
}

describe('Methods with ids as text', () => {
  test('has the methods of the checked tables, with the same `isOnce`', () => {
    const isOnce = (table: checked.ClientTable) =>
      Object.fromEntries(Object.entries(table).map(([name, method]) => [name, method.isOnce]))
    expect(isOnce(TEXT)).toEqual(isOnce(CHECKED))
    expect(TEXT['platform.issueTx']?.isOnce).toBe(true)
  })

  test('parses every recorded result to the values of the checked tables', () => {
    let count = 0
    for (const { request, response, status } of exchanges()) {
      if (status !== 200) continue
      const { result } = Json.parse(response) as { readonly result?: Json.Json }
      const { method } = Json.parse(request) as { readonly method: string }
      const schema = CHECKED[method]?.result
      if (result === undefined || schema === undefined) continue
      expect(leaves(TEXT[method]?.result.parse(result)), request).toEqual(
        leaves(schema.format(schema.parse(result) as never)),
      )
      count += 1
    }
    expect(count).toBeGreaterThan(150)
  })

  test('returns 64-bit numbers as bigint, ids as text, and maps', () => {
    const { result } = text.PlatformMethods['platform.getValidatorsAt']
    const publicKey = `0x${'ab'.repeat(48)}`
    const nodeId = NodeId.format(new Uint8Array(20))
    expect(result.parse({ [nodeId]: { publicKey, weight: '18446744073709551615' } })).toEqual(
      new Map([[nodeId, { publicKey, weight: 2n ** 64n - 1n }]]),
    )
    expectTypeOf(result.parse({})).toEqualTypeOf<
      ReadonlyMap<string, { readonly publicKey: string | null; readonly weight: bigint }>
    >()
    type Checked = checked.Result<typeof checked.PlatformMethods, 'platform.getValidatorsAt'>
    expectTypeOf<Checked>().toEqualTypeOf<
      ReadonlyMap<string, { readonly publicKey: Uint8Array | null; readonly weight: bigint }>
    >()
  })

  test('formats arguments that the server parses to the same values as arguments of the checked tables', () => {
    const id = new Uint8Array(32).fill(7)
    const nodeId = new Uint8Array(20).fill(3)
    const accepted = (method: keyof typeof text.PlatformMethods, params: unknown) => {
      const json = text.PlatformMethods[method].params.format(params as never)
      return checked.PlatformMethods[method].params.accept(tokens(Json.stringify(json)))
    }
    expect(accepted('platform.getValidatorsAt', { height: 2n ** 64n - 2n, subnetID: Id.format(id) })).toEqual(
      { height: 2n ** 64n - 2n, subnetID: id },
    )
    expect(accepted('platform.getValidatorsAt', { height: 'proposed' })).toEqual({ height: 'proposed' })
    expect(accepted('platform.getCurrentValidators', { nodeIDs: [NodeId.format(nodeId)] })).toEqual({
      nodeIDs: [nodeId],
    })
    const page = {
      addresses: ['P-local1x'],
      limit: 100,
      startIndex: { address: 'a', utxo: 'b' },
      encoding: 'hexnc' as const,
    }
    expect(accepted('platform.getUTXOs', page)).toEqual(page)
  })

  test.each([
    ['a number instead of a decimal string', 'platform.getHeight', { height: 7 }, 'result.height'],
    ['a missing member', 'platform.getHeight', {}, 'result.height'],
    ['null', 'platform.getHeight', null, 'result'],
    ['a negative number', 'platform.getHeight', { height: '-7' }, 'result.height'],
    ['an object instead of a list', 'platform.validates', { blockchainIDs: {} }, 'result.blockchainIDs'],
    ['a number instead of an id', 'platform.validates', { blockchainIDs: [1] }, 'result.blockchainIDs[0]'],
    ['an unknown word', 'platform.getTxStatus', { status: 'Gone' }, 'result.status'],
    ['a list instead of a map', 'platform.getValidatorsAt', [], 'result'],
    ['a fraction', 'platform.getFeeState', { capacity: 1.5 }, 'result.capacity'],
    ['too few weights', 'platform.getFeeConfig', { weights: [1, 2, 3] }, 'result.weights'],
    [
      'text that is no number',
      'info.uptime',
      { rewardingStakePercentage: 'x' },
      'result.rewardingStakePercentage',
    ],
    ['text instead of a boolean', 'info.isBootstrapped', { isBootstrapped: 'true' }, 'result.isBootstrapped'],
  ])('rejects a result with %s', (_name, method, result, path) => {
    expect(() => TEXT[method]?.result.parse(result, 'result')).toThrow(
      expect.objectContaining({ code: 'RPC_SCHEMA', details: { path } }),
    )
  })

  test.each([
    ['a missing member', 'platform.getTx', {}, 'params.txID'],
    ['bytes instead of an id', 'platform.getTx', { txID: new Uint8Array(32) }, 'params.txID'],
    ['a negative number', 'platform.sampleValidators', { size: -1 }, 'params.size'],
    ['no number', 'platform.getValidatorsAt', { height: 'latest' }, 'params.height'],
    ['an unknown word', 'platform.getTx', { txID: 'a', encoding: 'cb58' }, 'params.encoding'],
  ])('rejects an argument with %s', (_name, method, params, path) => {
    expect(() => TEXT[method]?.params.format(params as never, 'params')).toThrow(
      expect.objectContaining({ code: 'RPC_SCHEMA', details: { path } }),
    )
  })
})
