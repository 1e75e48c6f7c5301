import { Bytes } from '@firn/codec'
import { Records } from '@firn/ledger'
import { Blocks, type Snapshot, Stakers, Utxos } from '@firn/store'
import { type Body, define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addresses } from '../network/AddressParameter.ts'
import { Incomplete, incomplete } from '../network/CChain.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import type { AssetDirectory } from '../shapes/AssetDirectory.ts'
import {
  AtomicBalance,
  AvmBalance,
  assetTotals,
  inSharedMemory,
  PlatformBalance,
  type Total,
} from '../shapes/Balance.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { amountOf, type Surroundings } from '../shapes/PlatformUtxo.ts'
import { chainIds } from './platformShapes.ts'

/** The addresses, the snapshot, and the time for which locks are evaluated (Unix seconds). */
export interface BalancesRequest {
  readonly addresses: readonly Uint8Array[]
  readonly at: Snapshot
  readonly now: bigint
}

const Balances = Schema.object(
  'ListBalancesResponse',
  'Balances of addresses on a chain',
  {
    balances: Schema.union('Balances', 'Balances on the P-, X- or C-chain', [
      PlatformBalance,
      AvmBalance,
      AtomicBalance,
    ]),
    chainInfo: Schema.as(ChainInfo, 'Chain and network of the balances'),
    incomplete: Schema.optional(Incomplete),
  },
  ['incomplete'],
)

/**
 * `GET …/{blockchainId}/balances`: total balances of the given addresses, now or at an earlier time. Locks
 * are evaluated at that time, or for current balances at the time of the service's clock, as in a node.
 */
export function getBalances(context: DataContext, directory: AssetDirectory): Endpoint {
  const { store } = context
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/balances',
    operationId: 'getBalancesByAddresses',
    summary: 'Balances of addresses on the P- or X-chain, or amounts importable to the C-chain',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    pathParameters: { network: Names.network(context), blockchainId: Names.primaryBlockchain(context) },
    queryParameters: {
      addresses: addresses(context.constants.hrp),
      blockTimestamp: Parameter.optional(Parameter.timestamp),
    },
    response: Balances,
    handle: async ({ path: { network, blockchainId }, query: { addresses: owners, blockTimestamp } }) => {
      const latest = await store.snapshot()
      const at =
        blockTimestamp === undefined ? latest : await Blocks.snapshotAt(store, latest, blockTimestamp)
      const { genesis, constants } = context
      if (at === undefined) throw tooEarly(blockTimestamp, 'genesis', genesis.platform.timestamp)
      // The stored vertices of the X-chain don't tell what addresses had between them.
      if (blockchainId === 'x-chain' && at.X.height < 0n)
        throw tooEarly(blockTimestamp, 'linearization of the X-chain', constants.upgrades.cortina)
      const now = blockTimestamp ?? BigInt(Math.floor(context.now() / 1_000))
      const balances = await balancesOf(context, directory, blockchainId, { addresses: owners, at, now })
      const chainInfo = { chainName: blockchainId, network }
      const missing = incomplete(context, 'amounts that the C-chain exported and that can be imported are')
      return { body: { balances, chainInfo, ...missing }, height: at.P.height, time: at.P.time }
    },
  })
}

function tooEarly(time: bigint | undefined, event: string, at: bigint): Error {
  return Parameter.refused('blockTimestamp', `a time at or after the ${event} (${at})`, String(time))
}

type Read = (context: DataContext, directory: AssetDirectory, asked: BalancesRequest) => Promise<Body>

/** Returns the balances of addresses on a chain, in the Data API's format. */
export function balancesOf(
  context: DataContext,
  directory: AssetDirectory,
  chain: Names.ChainName,
  asked: BalancesRequest,
): Promise<Body> {
  return BALANCES[chain](context, directory, asked)
}

const BALANCES: Readonly<Record<Names.ChainName, Read>> = {
  'p-chain': platformBalance,
  'x-chain': async (context, directory, asked) => {
    const sums = await Utxos.balances(context.store, asked.at, 'X', asked.addresses, asked.now)
    const around = await surroundings(context, directory, sums)
    const own = sums.filter(({ source }) => source === 'X')
    const isFree = ({ lock }: Utxos.Balance) => lock === 'none'
    return {
      locked: assetTotals(
        own.filter((sum) => !isFree(sum)),
        around,
      ),
      unlocked: assetTotals(own.filter(isFree), around),
      ...inSharedMemory('X', sums, around),
    }
  },
  'c-chain': async (context, directory, asked) => {
    const sums = await Utxos.balances(context.store, asked.at, 'C', asked.addresses, asked.now)
    return inSharedMemory('C', sums, await surroundings(context, directory, sums))
  },
}

async function platformBalance(
  context: DataContext,
  directory: AssetDirectory,
  { addresses: owners, at, now }: BalancesRequest,
): Promise<Body> {
  const { store } = context
  const [sums, stakers] = await Promise.all([
    Utxos.balances(store, at, 'P', owners, now),
    Stakers.byAddresses(store, at, { addresses: owners, roles: 'all' }),
  ])
  const stakes = stakers.flatMap((staker) => stakesOf(staker, owners, now))
  const around = await surroundings(context, directory, [...sums, ...stakes])
  const own = (lock: Utxos.Lock) =>
    assetTotals(
      sums.filter((sum) => sum.source === 'P' && sum.lock === lock),
      around,
    )
  const staked = (kind: Stake['kind']) =>
    assetTotals(
      stakes.filter((stake) => stake.kind === kind),
      around,
    )
  return {
    unlockedUnstaked: own('none'),
    unlockedStaked: staked('unlocked'),
    lockedPlatform: own('time'),
    lockedStakeable: own('stakeable'),
    lockedStaked: staked('locked'),
    pendingStaked: staked('pending'),
    ...inSharedMemory('P', sums, around),
  }
}

interface Stake extends Total {
  readonly kind: 'unlocked' | 'locked' | 'pending'
}

/** Returns the staked outputs that at least one of the given addresses owns, alone or with others. */
function stakesOf(
  { stake, status }: Records.Staker,
  owners: readonly Uint8Array[],
  now: bigint,
): readonly Stake[] {
  return stake.flatMap(({ assetID: assetId, output }) => {
    const inner = Records.unlocked(output)
    if (!inner.addresses.some((one) => owners.some((owner) => Bytes.equals(owner, one)))) return []
    const isLocked = inner.locktime > now || (output.type === 'LockOut' && output.locktime > now)
    const kind = status === 'pending' ? 'pending' : isLocked ? 'locked' : 'unlocked'
    return [{ kind, assetId, isNft: false, amount: amountOf(output), count: 1n }]
  })
}

async function surroundings(
  context: DataContext,
  directory: AssetDirectory,
  sums: readonly Total[],
): Promise<Pick<Surroundings, 'assets' | 'chainIds'>> {
  return {
    assets: await directory.of(sums.map(({ assetId }) => assetId)),
    chainIds: chainIds(context),
  }
}
