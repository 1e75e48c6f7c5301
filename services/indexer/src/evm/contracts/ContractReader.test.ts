import { Hex } from '@firn/codec'
import { RpcError } from '@firn/rpc'
import { systemClock } from '@firn/runtime'
import { describe, expect, it } from 'vitest'
import { IndexerError } from '../../common/IndexerError.ts'
import { abiString, createFakeContracts } from '../../testing/evmContracts.ts'
import type { CallAnswer, CallContract } from '../../testing/evmMethods.ts'
import { type Answer, type Call, toIndexerError } from '../upstream/JsonRpc.ts'
import { createContractReader, type Seen } from './ContractReader.ts'

const refusal = ({ code, message }: { readonly code: number; readonly message: string }, name: string) =>
  toIndexerError(
    new RpcError('RPC_REMOTE', message, { details: { rpcCode: code, rpcMessage: message } }),
    name,
  )

const address = Hex.decode(`0x${'ab'.repeat(20)}`)
const at = { height: 9n, hash: new Uint8Array(32) }
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
const utf8 = new TextEncoder()

const UNKNOWN_METHOD: CallAnswer = { error: 'the method does not exist', code: -32601 }
const answerOf = (answer: CallAnswer): Answer =>
  'result' in answer
    ? { result: answer.result }
    : { error: refusal({ code: answer.code ?? -32000, message: answer.error }, 'node') }

/**
 * Creates a contract reader for one node. `call` answers the calls. `fail` is called before each call with
 * the number of the request, and may return an error for the call. `state` answers reads of code and storage.
 */
const reader = (
  call: CallContract,
  fail: (request: number, block: unknown) => CallAnswer | undefined = () => undefined,
  state: (method: string, params: readonly unknown[]) => CallAnswer = () => UNKNOWN_METHOD,
) => {
  let requests = 0
  const blocks = new Set<unknown>()
  const ask = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    requests += 1
    return calls.map(({ method, params }): Answer => {
      if (method === 'eth_getBlockByNumber') return { result: { number: '0x9', hash: Hex.encode(at.hash) } }
      if (method !== 'eth_call') return answerOf(state(method, params))
      const [what, block] = params as [{ to: string; data: string; gas: string }, unknown]
      blocks.add(block)
      return answerOf(fail(requests, block) ?? call(what.to, what.data, 9, what.gas))
    })
  }
  const made = createContractReader({
    upstreams: { ask },
    clock: systemClock,
    random: () => 0,
    longestPauseMs: 5,
  })
  const seen = (tellsErc20: boolean, value?: bigint): readonly Seen[] => [
    { address, tellsErc20, ...(value === undefined ? {} : { value }) },
  ]
  return {
    requests: () => requests,
    blocks,
    facts: async (tellsErc20 = false, value?: bigint) =>
      (await made.facts(seen(tellsErc20, value), at, new AbortController().signal))[0],
    latest: (data: string) =>
      made.callLatest([{ to: address, data: Hex.decode(data) }], new AbortController().signal),
  }
}

const reverted: CallAnswer = { error: 'execution reverted', code: 3 }
/** Creates a contract that answers the calls with the given selectors. */
const saying =
  (answers: Readonly<Record<string, string>>): CallContract =>
  (_to, data) => {
    const result = answers[data.slice(2, 10)]
    return result === undefined ? reverted : { result }
  }

describe('the values of ERC-20 transfers', () => {
  const TOTAL_SUPPLY = { '18160ddd': word(9n) }
  const owned =
    (nobody?: string): CallContract =>
    (to, data) => {
      if (!data.startsWith('0x6352211e')) return saying(TOTAL_SUPPLY)(to, data, 9, '0x0')
      if (BigInt(`0x${data.slice(10)}`) === 7n) return { result: word(0xabcn) }
      return nobody === undefined ? reverted : { result: nobody }
    }

  it.each([
    ['an owner of the value, and of no other number', owned(), true],
    ['the zero address for other numbers', owned(word(0n)), true],
    ['an owner of any number', owned(word(0xabcn)), false],
    ['no owner', saying(TOTAL_SUPPLY), false],
    [
      'a number that is no address as the owner',
      saying({ ...TOTAL_SUPPLY, '6352211e': word(2n ** 200n) }),
      false,
    ],
    [
      'decimals, and an owner',
      (to, data, ...more) => saying({ '313ce567': word(18n) })(to, data, ...more),
      false,
    ],
  ] as readonly (readonly [string, CallContract, boolean])[])(
    'with %s',
    async (_name, contract, valuesAreIds) => {
      const facts = await reader(contract).facts(true, 7n)
      expect(facts?.valuesAreIds).toBe(valuesAreIds)
      expect(facts?.kind === 'ERC-721').toBe(valuesAreIds)
    },
  )

  it('are ids if the contract says that it is ERC-721 and has no decimals', async () => {
    const says: CallContract = (_to, data) => {
      if (data.startsWith('0x01ffc9a7'))
        return { result: word(/^.{10}(01ffc9a7|80ac58cd)/.test(data) ? 1n : 0n) }
      return reverted
    }
    expect(await reader(says).facts(true, 7n)).toMatchObject({ kind: 'ERC-721', valuesAreIds: true })
    const divided: CallContract = (to, data, ...more) =>
      data.startsWith('0x313ce567') ? { result: word(18n) } : says(to, data, ...more)
    expect(await reader(divided).facts(true, 7n)).toMatchObject({ kind: 'ERC-721', valuesAreIds: false })
  })

  it('are not known without a value', async () => {
    expect((await reader(owned()).facts(true))?.valuesAreIds).toBeUndefined()
  })
})

it.each(['ERC-20', 'ERC-721', 'ERC-1155', 'UNKNOWN'] as const)(
  'classifies a contract that claims to be %s',
  async (kind) => {
    const facts = {
      address,
      kind,
      name: kind === 'UNKNOWN' ? undefined : utf8.encode('A name'),
      symbol: kind === 'UNKNOWN' ? undefined : utf8.encode('SYM'),
      decimals: kind === 'ERC-20' ? 6 : undefined,
    }
    expect(await reader(createFakeContracts(() => facts)).facts()).toEqual(facts)
  },
)

it('ignores the ERC-165 answers of a contract that claims to support every interface', async () => {
  const yes: CallContract = () => ({ result: word(1n) })
  expect((await reader(yes).facts())?.kind).toBe('ERC-20')
  const { kind } = (await reader(saying({ '01ffc9a7': word(1n) })).facts()) ?? {}
  expect(kind).toBe('UNKNOWN')
})

it('classifies a token without decimals as ERC-20 if it emitted transfer events', async () => {
  const token = saying({ '18160ddd': word(5n) })
  expect((await reader(token).facts(false))?.kind).toBe('UNKNOWN')
  expect((await reader(token).facts(true))?.kind).toBe('ERC-20')
})

it.each([
  ['0x', undefined],
  [word(0n), 0],
  [word(255n), 255],
  [word(256n), undefined],
  [word(2n ** 256n - 1n), undefined],
  ['0x12', undefined],
  ['what', undefined],
  [`${word(18n)}00`, 18],
])('accepts %s as decimals only if it is a word from 0 to 255', async (result, decimals) => {
  expect((await reader(saying({ '313ce567': result })).facts())?.decimals).toBe(decimals)
})

it.each([
  ['an empty answer', '0x', undefined],
  ['an empty text', abiString(new Uint8Array()), undefined],
  ['a bytes32', `0x${Buffer.from('MKR').toString('hex').padEnd(64, '0')}`, utf8.encode('MKR')],
  ['invalid UTF-8 with a NUL', abiString(new Uint8Array([0xff, 0, 0x41])), new Uint8Array([0xff, 0, 0x41])],
  ['a wrong length', `${word(32n)}${word(2n ** 255n).slice(2)}`, undefined],
  ['invalid hex', '0xzz', undefined],
  ['a huge text', abiString(new Uint8Array(1_000_000).fill(0x41)), new Uint8Array(4_096).fill(0x41)],
])('returns the bytes of a symbol, or undefined if it is malformed: %s', async (_name, result, symbol) => {
  expect((await reader(saying({ '95d89b41': result })).facts())?.symbol).toEqual(symbol)
})

it("returns undefined for reverted calls, regardless of the node's error message", async () => {
  for (const error of [
    'execution reverted: no',
    'VM Exception while processing transaction',
    'out of gas',
    'invalid opcode: INVALID',
    'evm timeout',
  ]) {
    const one = reader(() => ({ error }))
    expect((await one.facts())?.name).toBeUndefined()
    expect(one.requests()).toBe(1)
  }
})

it('reads facts at the newest block if the requested state is pruned', async () => {
  const one = reader(saying({ '95d89b41': abiString(utf8.encode('NOW')) }), (_request, block) =>
    block === 'latest' ? undefined : { error: 'missing trie node 00 (path ) state 0x is not available' },
  )
  expect((await one.facts())?.symbol).toEqual(utf8.encode('NOW'))
  expect([...one.blocks].at(-1)).toBe('latest')
})

it('retries failed calls, and gives up on a call that keeps failing while other calls succeed', async () => {
  const passing = reader(saying({ '95d89b41': abiString(utf8.encode('S')) }), (request) =>
    request < 4 ? { error: 'internal error', code: -32603 } : undefined,
  )
  expect((await passing.facts())?.symbol).toEqual(utf8.encode('S'))
  const lasting = reader(() => ({ error: 'strange words', code: -32603 }))
  expect((await lasting.facts())?.kind).toBe('UNKNOWN')
  expect(lasting.requests()).toBe(6)
})

it('retries all calls while a node answers every call with an error', async () => {
  let requests = 0
  const ask = async (calls: readonly Call[]): Promise<readonly Answer[]> => {
    requests += 1
    if (requests === 3) throw new IndexerError('INDEXER_RPC_TIMEOUT', 'late')
    const isWell = requests > 30
    return calls.map(({ method }) => {
      if (!isWell) return { error: refusal({ code: -32603, message: 'internal error' }, 'node') }
      return { result: method === 'eth_call' ? abiString(utf8.encode('S')) : { number: '0x9' } }
    })
  }
  const made = createContractReader({
    upstreams: { ask },
    clock: systemClock,
    random: () => 0,
    longestPauseMs: 1,
  })
  const [facts] = await made.facts([{ address, tellsErc20: true }], at, new AbortController().signal)
  expect(facts?.symbol).toEqual(utf8.encode('S'))
})

it('identifies blocks by height if a node does not accept block hashes', async () => {
  const one = reader(saying({ '95d89b41': abiString(utf8.encode('S')) }), (_request, block) =>
    typeof block === 'object'
      ? { error: 'invalid argument 1: cannot unmarshal object', code: -32602 }
      : undefined,
  )
  expect((await one.facts())?.symbol).toEqual(utf8.encode('S'))
  expect([...one.blocks].at(-1)).toBe('0x9')
})

it('rejects with INDEXER_ABSENT if no node still has the block', async () => {
  const gone = reader(saying({}), () => ({ error: 'header not found' }))
  await expect(gone.facts()).rejects.toMatchObject({ code: 'INDEXER_ABSENT' })
})

it('ignores a lagging node when it reads the newest state', async () => {
  const turns: (number | undefined)[] = []
  const ask = async (
    calls: readonly Call[],
    _signal: AbortSignal,
    turn?: number,
  ): Promise<readonly Answer[]> => {
    turns.push(turn)
    const isLate = (turn ?? 0) % 2 === 0
    return calls.map(({ method, params }): Answer => {
      if (method !== 'eth_call') return { result: { number: isLate ? '0x8' : '0x9' } }
      if (typeof params[1] === 'object')
        return { error: refusal({ code: -32000, message: 'missing trie node' }, 'node') }
      return { result: isLate ? '0x' : abiString(utf8.encode('S')) }
    })
  }
  const made = createContractReader({
    upstreams: { ask },
    clock: systemClock,
    random: () => 0,
    longestPauseMs: 1,
  })
  for (let i = 0; i < 3; i++) {
    const [facts] = await made.facts([{ address, tellsErc20: true }], at, new AbortController().signal)
    expect(facts?.symbol).toEqual(utf8.encode('S'))
  }
  expect(turns.length).toBeGreaterThan(3)
})

it('distinguishes returned, reverted and unavailable calls at the newest block', async () => {
  expect(await reader(() => ({ result: '0x0102' })).latest('0x01')).toEqual([new Uint8Array([1, 2])])
  expect(await reader(() => reverted).latest('0x01')).toEqual([{ error: 'reverted' }])
  expect(await reader(() => ({ error: 'strange' })).latest('0x01')).toEqual([{ error: 'unavailable' }])
})

const BEACON = '22'.repeat(20)
const TARGET = '33'.repeat(20)
const [IMPLEMENTATION_SLOT, BEACON_SLOT] = ['0x360894', '0xa3f0ad']
const CLONE = `363d3d373d3d3d363d73${TARGET}5af43d82803e903d91602b57fd5bf3`
const addressWord = (hex: string) => `0x${hex.padStart(64, '0')}`

it.each([
  ['a clone', CLONE, {}, { kind: 'EIP-1167', implementation: TARGET }],
  ['a clone with arguments', `${CLONE}0102`, {}, { kind: 'EIP-1167', implementation: TARGET }],
  ['code that does not delegate', '6001', { [IMPLEMENTATION_SLOT]: addressWord(TARGET) }, { kind: 'NONE' }],
  [
    'a constant that looks like it',
    '61f4f400',
    { [IMPLEMENTATION_SLOT]: addressWord(TARGET) },
    { kind: 'NONE' },
  ],
  ['no code', '', {}, { kind: 'NONE' }],
  [
    'an implementation',
    'f4',
    { [IMPLEMENTATION_SLOT]: addressWord(TARGET) },
    { kind: 'EIP-1967', implementation: TARGET },
  ],
  ['a number in the slot', 'f4', { [IMPLEMENTATION_SLOT]: word(2n ** 200n) }, { kind: 'NONE' }],
  ['a short word', 'f4', { [IMPLEMENTATION_SLOT]: '0x01' }, { kind: 'NONE' }],
  [
    'a beacon',
    'f4',
    { [BEACON_SLOT]: addressWord(BEACON) },
    { kind: 'EIP-1967-BEACON', implementation: TARGET, beacon: BEACON },
  ],
  [
    'a beacon that reverts',
    'f4',
    { [BEACON_SLOT]: addressWord(TARGET) },
    { kind: 'EIP-1967-BEACON', beacon: TARGET },
  ],
] as const)(
  'reads the proxy of %s',
  async (_name, code, slots: Readonly<Record<string, string>>, expected) => {
    const one = reader(
      (to, data) =>
        data === '0x5c60da1b' && to === `0x${BEACON}` ? { result: addressWord(TARGET) } : reverted,
      undefined,
      (method, params) => {
        if (method === 'eth_getCode') return { result: `0x${code}` }
        return { result: slots[String(params[1]).slice(0, 8)] ?? word(0n) }
      },
    )
    const { proxy } = (await one.facts()) ?? {}
    const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')
    expect({
      kind: proxy?.kind,
      implementation: hex(proxy?.implementation),
      beacon: hex(proxy?.beacon),
    }).toEqual({
      implementation: undefined,
      beacon: undefined,
      ...expected,
    })
  },
)

it('leaves open whether a contract is a proxy if nodes do not return its code or storage', async () => {
  const closed = reader(() => reverted)
  expect((await closed.facts())?.proxy).toBeUndefined()
  expect(closed.requests()).toBe(1)
  const half = reader(
    () => reverted,
    undefined,
    (method) => (method === 'eth_getCode' ? { result: '0xf4' } : UNKNOWN_METHOD),
  )
  expect((await half.facts())?.proxy).toBeUndefined()
  expect(half.requests()).toBe(2)
})
