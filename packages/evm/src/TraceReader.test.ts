import { describe, expect, test } from 'vitest'
import * as BlockReader from './BlockReader.ts'
import { EvmError } from './EvmError.ts'
import { inventedChain } from './testing/inventedChain.ts'
import { RECORDED, type RecordedParts, recordedChain } from './testing/recordedChain.ts'

interface Nested {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly gas: string
  readonly gasUsed: string
  readonly error?: string
  readonly calls?: readonly Nested[]
}

interface Traced {
  readonly block: { readonly number: string; readonly hash: string }
  readonly receipts: unknown
  readonly traces: readonly { readonly txHash: string; readonly result: Nested }[]
}

type Flat = Record<string, unknown> & {
  readonly action: Record<string, unknown>
  readonly traceAddress: readonly number[]
  readonly subtraces: number
  readonly error?: string
}

/** Converts a nested trace to the flat list that `trace_block` returns. */
function flatten(frame: Nested, place: object, address: readonly number[] = []): Flat[] {
  const { type, from, to, value = '0x0', gas, gasUsed, error, calls = [] } = frame
  const common = {
    ...place,
    subtraces: calls.length,
    traceAddress: address,
    ...(error === undefined ? {} : { error }),
  }
  const inner = calls.flatMap((call, i) => flatten(call, place, [...address, i]))
  if (type === 'SELFDESTRUCT') {
    return [
      {
        ...common,
        type: 'suicide',
        action: { address: from, refundAddress: to, balance: value },
        result: null,
      },
    ]
  }
  if (type.startsWith('CREATE')) {
    const action = { from, value, gas, creationMethod: type.toLowerCase(), init: '0x' }
    return [{ ...common, type: 'create', action, result: { gasUsed, address: to, code: '0x' } }, ...inner]
  }
  const action = { callType: type.toLowerCase(), from, to, value, gas, input: '0x' }
  return [{ ...common, type: 'call', action, result: { gasUsed, output: '0x' } }, ...inner]
}

function flat({ block, traces }: Traced): Flat[] {
  return traces.flatMap(({ txHash, result }, transactionPosition) =>
    flatten(result, {
      blockHash: block.hash,
      blockNumber: Number(block.number),
      transactionHash: txHash,
      transactionPosition,
    }),
  )
}

const reward = {
  type: 'reward',
  action: { author: '0x', rewardType: 'block', value: '0x0' },
  subtraces: 0,
  traceAddress: [],
}
const invented = inventedChain({ seed: 7, transactions: [0, 6] }).grow(100)
const chains: [string, readonly RecordedParts[]][] = [
  ...RECORDED.map((name): [string, readonly RecordedParts[]] => [
    name,
    recordedChain(name).filter(({ traces }) => traces !== undefined),
  ]),
  ['an invented chain', invented],
]

describe.each(chains)('%s', (_, blocks) => {
  test('reads the same calls from a flat list as from nested traces', () => {
    let compared = 0
    for (const parts of blocks) {
      const traces = flat(parts as unknown as Traced)
      const expected = BlockReader.read(parts)
      // An empty trace list is not recognized as a flat list, so a reward is added only to other lists.
      const rewarded = traces.length === 0 ? traces : [...traces, reward]
      expect(BlockReader.read({ ...parts, traces: rewarded })).toEqual(expected)
      compared += traces.length
    }
    expect(compared).toBeGreaterThan(80)
  })

  test('reads the same calls from one flat list per transaction as from nested traces', () => {
    for (const parts of blocks) {
      const { traces } = parts as unknown as Traced
      const flattened = traces.map(({ txHash, result }) => ({ txHash, result: flatten(result, {}) }))
      expect(BlockReader.read({ ...parts, traces: flattened })).toEqual(BlockReader.read(parts))
    }
  })
})

describe('flat lists', () => {
  const parts = invented.find((one) => {
    const traces = flat(one as unknown as Traced)
    const isDeep = traces.some(({ traceAddress, subtraces }) => traceAddress.length > 0 && subtraces > 0)
    return (
      isDeep && traces.some(({ error, traceAddress }) => error !== undefined && traceAddress.length === 1)
    )
  })
  const read = (change: (traces: Flat[]) => unknown) => {
    const traces = flat(structuredClone(parts) as unknown as Traced)
    const changed = change(traces)
    return BlockReader.read({
      block: parts?.block,
      receipts: parts?.receipts,
      traces: Array.isArray(changed) ? changed : traces,
    })
  }
  const inner = (traces: Flat[]) => traces.findIndex(({ traceAddress }) => traceAddress.length > 0)
  const first = (traces: Flat[]) => traces[0] as Flat

  test.each<[string, string, (traces: Flat[]) => unknown]>([
    ['a missing inner call', 'EVM_INCOHERENT', (traces) => traces.toSpliced(inner(traces), 1)],
    ['a missing outermost call', 'EVM_INCOHERENT', (traces) => traces.toSpliced(inner(traces) - 1, 1)],
    ['a duplicate call', 'EVM_INCOHERENT', (traces) => traces.toSpliced(1, 0, first(traces))],
    ['calls in another order', 'EVM_INCOHERENT', (traces) => traces.toReversed()],
    [
      'a call without a transaction',
      'EVM_INCOHERENT',
      (traces) => Object.assign(first(traces), { transactionPosition: 99 }),
    ],
    [
      'text as a position',
      'EVM_INCOHERENT',
      (traces) => Object.assign(first(traces), { transactionPosition: 'at' }),
    ],
    [
      'another hash',
      'EVM_INCOHERENT',
      (traces) => Object.assign(first(traces), { transactionHash: `0x${'ab'.repeat(32)}` }),
    ],
    ['an unknown kind', 'EVM_MALFORMED', (traces) => Object.assign(first(traces), { type: 'jump' })],
    [
      'an unknown kind of call',
      'EVM_MALFORMED',
      (traces) => Object.assign(first(traces).action, { callType: 'toString', creationMethod: 'x' }),
    ],
    ['a missing gas limit', 'EVM_MALFORMED', (traces) => delete first(traces).action['gas']],
    [
      'a missing number of inner calls',
      'EVM_MALFORMED',
      (traces) => Object.assign(first(traces), { subtraces: null }),
    ],
    [
      'calls nested too deep',
      'EVM_MALFORMED',
      (traces) => Object.assign(first(traces), { traceAddress: Array(1025).fill(0) }),
    ],
  ])('rejects a flat list with %s', (_, code, change) => {
    expect(() => read(change)).toThrow(expect.objectContaining({ name: 'EvmError', code }))
  })

  test('uses the gas limit of a failed call if the call has no gasUsed', () => {
    const block = read((traces) => {
      for (const trace of traces) if (trace.error !== undefined) trace['result'] = null
    })
    const failed = block.traces?.flatMap(({ calls }) => calls).filter(({ succeeded }) => !succeeded)
    expect(failed?.length).toBeGreaterThan(0)
    for (const { gas, gasUsed } of failed ?? []) expect(gasUsed).toBe(gas)
  })
})

test('rejects traces of another block with the same number of transactions, even without hashes', () => {
  const [one, other] = invented.filter(({ traces }) => traces.length === 3)
  const bare = other?.traces.map((trace) => ({ ...trace, txHash: undefined }))
  expect(() => BlockReader.read({ block: one?.block, receipts: one?.receipts, traces: bare })).toThrow(
    EvmError,
  )
})
