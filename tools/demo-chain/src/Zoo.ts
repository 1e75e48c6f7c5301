import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { type Call, call, callAll, tryAll } from './internal/call.ts'
import { DELEGATES, type Delegate, KINDS, type Kind } from './internal/zooKinds.ts'
import { ZOO_CODE } from './zooCode.ts'

/**
 * What the balances of a token rest on:
 * - `logs`: they are the sums of its transfer logs.
 * - `chain`: only `balanceOf` returns them.
 * - `lying`: `balanceOf` returns different balances to different callers.
 * - `unreadable`: `balanceOf` does not return a balance.
 */
export type TokenBasis = 'logs' | 'chain' | 'lying' | 'unreadable'

/** A token contract of the zoo. */
export interface ZooToken {
  /** Name of the contract in `contracts/Zoo.sol`, or of what it creates. */
  readonly name: string
  readonly address: Hex
  readonly standard: 20 | 721 | 1155
  /** Whether its logs have the layout of ERC-20, with the id of an ERC-721 token as the value. */
  readonly hasIdsAsValues: boolean
  readonly basis: TokenBasis
}

/** The balance that an account has of a token. The token id is 0 unless the token is ERC-1155. */
export interface ZooBalance {
  readonly token: ZooToken
  readonly tokenId: bigint
  readonly account: Hex
}

/** Token contracts of many kinds, and accounts that make random use of them. */
export interface Zoo {
  readonly tokens: readonly ZooToken[]
  /** The balances of each account in each token and id. */
  readonly balances: readonly ZooBalance[]
  /** Mines a block with random use of the tokens. */
  readonly block: () => Promise<void>
  /** Replaces the last `depth` blocks with `depth + 1` other blocks. */
  readonly reorg: (depth: number) => Promise<void>
}

/** Options of {@link createZoo}. */
export interface ZooOptions {
  /** URL of a local EVM with the rules of `paris`, under which contracts can be created again at the same address. */
  readonly url: string
  /** Returns random numbers, uniform in [0, 1). The same numbers result in the same blocks. */
  readonly random: () => number
  /** Time of the first block, in Unix seconds. The later ones follow at intervals of up to 20 seconds. */
  readonly time: number
}

const ABI = parseAbi([
  'function transfer(address to, uint256 value)',
  'function mint(address to, uint256 value)',
  'function burn(uint256 value)',
  'function act(address who, uint256 value)',
  'function token() view returns (address)',
])
const BALANCE_ABI = parseAbi(['function balanceOf(address account) view returns (uint256)'])
const ITEM_BALANCE_ABI = parseAbi(['function balanceOf(address account, uint256 id) view returns (uint256)'])
const PROXY = parseAbiParameters('address, address')
const ZERO: Hex = `0x${'00'.repeat(20)}`
/** Gas limits: the block's limit of 30,000,000 has room for 60 calls. */
const GAS = { deployment: '0x1e8480', call: '0x7a120' }
/** Number of contracts that are deployed, or of which tokens are minted, in one block. */
const MEMBERS_PER_BLOCK = 10
/** Length of a word of 32 bytes in hexadecimal, with its prefix. */
const WORD_LENGTH = 66
/** Functions of a token, each as often as it is used. */
const USES = [...Array<'transfer'>(6).fill('transfer'), 'mint', 'mint', 'burn', 'act'] as const
const ACTIVE_USES = [...USES, 'act', 'act'] as const

interface Member {
  readonly kind: Kind
  readonly token: ZooToken
  /** Contract whose `act` is called: the token, or the contract that creates it. */
  readonly actor: Hex
}

interface Transaction {
  readonly from: Hex
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: Hex
}

/**
 * Deploys the contracts of `contracts/Zoo.sol` in the first blocks, and mints tokens of each.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function createZoo({ url, random, time }: ZooOptions): Promise<Zoo> {
  const accounts = await call<Hex[]>(url, 'eth_accounts', [])
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(values: readonly T[]) => values[below(values.length)] as T
  let nextTime = time

  const mine = async (transactions: readonly Transaction[]): Promise<readonly Hex[]> => {
    const calls = transactions.map(
      (one): Call => [
        'eth_sendTransaction',
        [{ ...one, gas: one.to === undefined ? GAS.deployment : GAS.call }],
      ],
    )
    const hashes = await callAll<Hex>(url, calls)
    await call(url, 'evm_setNextBlockTimestamp', [nextTime])
    await call(url, 'evm_mine', [])
    nextTime += 1 + below(20)
    return hashes
  }
  const deploy = async (codes: readonly Hex[]): Promise<readonly Hex[]> => {
    const hashes = await mine(codes.map((data) => ({ from: accounts[0] as Hex, data })))
    const calls = hashes.map((hash): Call => ['eth_getTransactionReceipt', [hash]])
    const receipts = await callAll<{ contractAddress: Hex }>(url, calls)
    return receipts.map(({ contractAddress }) => contractAddress)
  }
  const mint = ({ kind, token }: Member, value: number): Transaction => {
    const [from, to] = [pick(accounts), pick(accounts)]
    if (kind.isPaid) return { from, to: token.address, value: `0x${value.toString(16)}` }
    return { from, to: token.address, data: encode('mint', [to, BigInt(value)]) }
  }
  const use = (member: Member): Transaction => {
    const { kind, token, actor } = member
    const name = pick(kind.isActive ? ACTIVE_USES : USES)
    const value = 1 + below(100)
    if (name === 'mint') return mint(member, 10 * value)
    const [from, other] = [pick(accounts), pick(accounts)]
    if (name === 'burn') return { from, to: token.address, data: encode(name, [BigInt(value)]) }
    return { from, to: name === 'act' ? actor : token.address, data: encode(name, [other, BigInt(value)]) }
  }
  const block = async () => {
    await mine(Array.from({ length: 30 + below(30) }, () => use(pick(members))))
  }

  const delegates = await deploy(DELEGATES.map((name) => ZOO_CODE[name]))
  const members: Member[] = []
  for (const kinds of chunks(KINDS)) {
    const codes = kinds.map((kind) => creationCode(kind, delegates))
    for (const [i, actor] of (await deploy(codes)).entries())
      members.push(await toMember(url, kinds[i] as Kind, actor))
  }
  for (const some of chunks(members)) {
    await mine(some.flatMap((member) => [1, 2, 3, 4, 5].map(() => mint(member, 100 + below(900)))))
  }
  const tokens = members.map(({ token }) => token)
  return {
    tokens,
    balances: tokens.flatMap((token) => {
      const tokenIds = token.standard === 1155 ? [0n, 1n, 2n] : [0n]
      return tokenIds.flatMap((tokenId) => accounts.map((account) => ({ token, tokenId, account })))
    }),
    block,
    async reorg(depth) {
      await call(url, 'anvil_rollback', [depth])
      for (let i = 0; i <= depth; i++) await block()
    },
  }
}

/**
 * Returns what `balanceOf` returns after block `height`, in the order of `balances`; undefined where it fails or does
 * not return one word.
 */
export async function readBalances(
  url: string,
  balances: readonly ZooBalance[],
  height: bigint,
): Promise<readonly (bigint | undefined)[]> {
  const calls = balances.map(({ token, tokenId, account }): Call => {
    const data =
      token.standard === 1155
        ? encodeFunctionData({ abi: ITEM_BALANCE_ABI, args: [account, tokenId] })
        : encodeFunctionData({ abi: BALANCE_ABI, args: [account] })
    return ['eth_call', [{ to: token.address, data }, `0x${height.toString(16)}`]]
  })
  const results = await tryAll<Hex>(url, calls)
  return results.map((result) => (result?.length === WORD_LENGTH ? BigInt(result) : undefined))
}

function encode(functionName: (typeof USES)[number], args: readonly (Hex | bigint)[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0])
}

/** Returns the creation code of a contract. The arguments of a proxy are the addresses that it delegates to. */
function creationCode({ contract, delegates }: Kind, addresses: readonly Hex[]): Hex {
  const code = ZOO_CODE[contract]
  if (delegates === undefined) return code
  const [first, second] = delegates.map((name) => addresses[DELEGATES.indexOf(name as Delegate)] ?? ZERO)
  return `${code}${encodeAbiParameters(PROXY, [first as Hex, second as Hex]).slice(2)}`
}

async function toMember(url: string, kind: Kind, actor: Hex): Promise<Member> {
  const { contract, name = contract, standard = 20, basis, isCreator = false, hasIdsAsValues = false } = kind
  let address = actor
  if (isCreator) {
    const data = encodeFunctionData({ abi: ABI, functionName: 'token' })
    const result = await call<Hex>(url, 'eth_call', [{ to: actor, data }, 'latest'])
    address = `0x${result.slice(-40)}`
  }
  return { kind, actor, token: { name, address, standard, basis, hasIdsAsValues } }
}

/** Splits a list into lists whose transactions fit into one block. */
function chunks<T>(values: readonly T[]): T[][] {
  const count = Math.ceil(values.length / MEMBERS_PER_BLOCK)
  return Array.from({ length: count }, (_, i) =>
    values.slice(i * MEMBERS_PER_BLOCK, (i + 1) * MEMBERS_PER_BLOCK),
  )
}
