import type { ProxyFacts, ProxyKind } from '@firn/evm'
import type { Returned, StateRead } from './contractCalls.ts'

/** Reads from the state of one block. Returns one value for each read. */
export type ReadState = (reads: readonly StateRead[]) => Promise<readonly Returned[]>

/** The slots in which proxies store an address, in the order in which they count. */
const SLOTS = {
  'EIP-1967': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  'EIP-1967-BEACON': '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  'EIP-1822': '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  ZEPPELINOS: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const satisfies { readonly [K in Exclude<ProxyKind, 'NONE' | 'EIP-1167'>]: string }
const SLOT_KINDS = Object.keys(SLOTS) as (keyof typeof SLOTS)[]

/** Call data of `implementation()`, which beacons answer. */
const IMPLEMENTATION = Buffer.from('5c60da1b', 'hex')

const NO_PROXY: ProxyFacts = { kind: 'NONE', implementation: undefined, beacon: undefined }

/**
 * Returns what each contract with the given code is a proxy of; undefined where code or storage was not answered. The
 * storage is only read of contracts whose code can delegate.
 */
export async function readProxies(
  addresses: readonly Uint8Array[],
  codes: readonly Returned[],
  read: ReadState,
): Promise<readonly (ProxyFacts | undefined)[]> {
  const proxies = codes.map((code) => code && proxyOfCode(code))
  const open = proxies.flatMap((proxy, i) => (proxy === 'stored' ? [i] : []))
  if (open.length === 0) return proxies as (ProxyFacts | undefined)[]
  const words = await read(
    open.flatMap((i) =>
      SLOT_KINDS.map((kind) => ({ storageOf: addresses[i] as Uint8Array, slot: SLOTS[kind] })),
    ),
  )
  const stored = open.map((_, k) =>
    proxyOfStorage(words.slice(k * SLOT_KINDS.length, (k + 1) * SLOT_KINDS.length)),
  )
  const beacons = stored.flatMap((proxy) => (proxy?.beacon === undefined ? [] : [proxy.beacon]))
  const answers = beacons.length === 0 ? [] : await read(beacons.map((to) => ({ to, data: IMPLEMENTATION })))
  const implementations = answers[Symbol.iterator]()
  const found = new Map(
    stored.map((proxy, k) => {
      if (proxy?.beacon === undefined) return [open[k], proxy]
      return [open[k], { ...proxy, implementation: addressIn(implementations.next().value) }]
    }),
  )
  return proxies.map((proxy, i) => (proxy === 'stored' ? found.get(i) : proxy))
}

/** The code of a clone by EIP-1167 around the address of its implementation. Arguments may follow. */
const CLONE = Buffer.from('363d3d373d3d3d363d73', 'hex')
const CLONE_END = Buffer.from('5af43d82803e903d91602b57fd5bf3', 'hex')

/** Returns what the code alone tells: no proxy, a clone, or `stored` if the storage may contain an address. */
function proxyOfCode(code: Uint8Array): ProxyFacts | 'stored' {
  const end = CLONE.length + 20
  const isClone =
    CLONE.equals(code.subarray(0, CLONE.length)) &&
    CLONE_END.equals(code.subarray(end, end + CLONE_END.length))
  if (isClone) return { ...NO_PROXY, kind: 'EIP-1167', implementation: code.slice(CLONE.length, end) }
  return canDelegate(code) ? 'stored' : NO_PROXY
}

const OPCODES = { push1: 0x60, push32: 0x7f, delegateCall: 0xf4 }

/** Returns whether code contains the opcode DELEGATECALL, outside of the constants that it pushes. */
function canDelegate(code: Uint8Array): boolean {
  for (let i = 0; i < code.length; i++) {
    const opcode = code[i] as number
    if (opcode === OPCODES.delegateCall) return true
    if (opcode >= OPCODES.push1 && opcode <= OPCODES.push32) i += opcode - OPCODES.push1 + 1
  }
  return false
}

/** Returns what the words in {@link SLOTS} tell; undefined if none contains an address and some were not answered. */
function proxyOfStorage(words: readonly Returned[]): ProxyFacts | undefined {
  for (const [i, kind] of SLOT_KINDS.entries()) {
    const address = addressIn(words[i])
    if (address === undefined) continue
    return kind === 'EIP-1967-BEACON'
      ? { kind, implementation: undefined, beacon: address }
      : { kind, implementation: address, beacon: undefined }
  }
  return words.includes(undefined) ? undefined : NO_PROXY
}

/** Returns the address in a word; undefined if the word is 0 or not an address. */
function addressIn(word: Returned): Uint8Array | undefined {
  if (word?.length !== 32 || word.subarray(0, 12).some((byte) => byte !== 0)) return undefined
  const address = word.slice(12)
  return address.every((byte) => byte === 0) ? undefined : address
}
