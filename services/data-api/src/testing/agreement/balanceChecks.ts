import { type Body, byKey, type Checks, type Same, total } from './Checks.ts'
import { CHAINS, type Chain, list, type Network, one, outputs, owners, transactions } from './ledgerChecks.ts'

const FOREVER = Number.POSITIVE_INFINITY
const PLATFORM = '11111111111111111111111111111111LpoYY'

/** Comparisons of what addresses have, and where. */
export const BALANCE_CHECKS: Checks<Network> = {
  getBalancesByAddresses: async (network, same) => {
    const platform = await list(network, '/blockchains/p-chain/blocks', 'blocks')
    const places = [1, 2, 3].map((i) => platform[Math.floor((platform.length * i) / 4)])
    const times = [undefined, ...places.map((block) => block.blockTimestamp)]
    const linearized = await linearizedAt(network)
    for (const owner of await owners(network))
      for (const chain of CHAINS)
        for (const time of times) {
          const query = time === undefined ? '' : `&blockTimestamp=${time}`
          const answer = await one(network, `/blockchains/${chain}/balances?addresses=${owner}${query}`)
          const isKnown = chain !== 'x-chain' || time === undefined || time >= linearized
          const expected = isKnown ? await expectedBalances(network, chain, owner, time) : []
          same(
            `${owner} ${chain} ${time}`,
            [isKnown, ...totalsIn(answer?.balances)],
            [answer !== undefined, ...expected],
          )
        }
  },
  getChainIdsForAddresses: async (network, same) => {
    const ids = await blockchainIds(network)
    for (const owner of await owners(network)) {
      const answer = await one(network, `/addresses:listChainIds?addresses=${owner}`)
      const used = await Promise.all(
        CHAINS.map(async (chain) => {
          const path = `/blockchains/${chain}/transactions?addresses=${owner}`
          const unspent = await list(network, `/blockchains/${chain}/utxos?addresses=${owner}`, 'utxos')
          const found = await list(network, path, 'transactions')
          return unspent.length + found.length > 0 ? [ids[chain]] : []
        }),
      )
      same(owner, answer?.addresses[0].blockchainIds.toSorted(), used.flat().toSorted())
    }
  },
  getLastActivityTimestampByAddresses: async (network, same) => {
    const ids = await blockchainIds(network)
    for (const chain of CHAINS)
      for (const owner of await owners(network)) {
        const path = `/blockchains/${chain}/lastActivityTimestampByAddresses?addresses=${owner}`
        const utxos = await outputs(network, chain, owner)
        await compareActivity(network, await one(network, path), utxos, ids[chain], same)
      }
  },
}

/** Returns the blockchain ids of the chains. */
async function blockchainIds(network: Network): Promise<Readonly<Record<Chain, string>>> {
  const blockchains = await list(network, '/blockchains', 'blockchains')
  const idOf = (name: string) =>
    blockchains.find(({ blockchainName, subnetId }) => blockchainName === name && subnetId === PLATFORM)
      ?.blockchainId
  return { 'p-chain': PLATFORM, 'x-chain': idOf('X-Chain'), 'c-chain': idOf('C-Chain') }
}

/** Returns the time before which the X-chain had vertices, or 0 if it had none. */
async function linearizedAt(network: Network): Promise<number> {
  const vertices = await list(network, '/blockchains/x-chain/vertices', 'vertices')
  const first = await one(network, '/blockchains/x-chain/blocks/0')
  return vertices.length === 0 ? 0 : first.blockTimestamp
}

/** Returns the time since which an output can be spent, and the time at which it was consumed. */
async function lifetimes(network: Network): Promise<(utxo: Body) => readonly [number, number]> {
  const txs = byKey(await transactions(network, 'p-chain'), 'txHash')
  const endOf = (txHash: string) => txs.get(txs.get(txHash)?.rewardTxHash)?.blockTimestamp
  return ({ utxoType, staked, txHash, blockTimestamp, consumingBlockTimestamp = FOREVER }) => {
    // A proposal to add a staker that was aborted returns the stake at once.
    const returned = endOf(txHash) ?? (staked ? FOREVER : blockTimestamp)
    const since = utxoType === 'STAKE' ? returned : blockTimestamp
    return [since, consumingBlockTimestamp]
  }
}

/** Returns the totals that the outputs of an address and its stakes add up to. */
async function expectedBalances(
  network: Network,
  chain: Chain,
  owner: string,
  time: number | undefined,
): Promise<Body> {
  const now = time ?? network.now
  const at = time ?? Number.MAX_SAFE_INTEGER
  const lifetimeOf = await lifetimes(network)
  const ids = await blockchainIds(network)
  // Block 0 of the X-chain has the time of the linearization, even if it contains only the genesis.
  const hasVertices = (await linearizedAt(network)) > 0
  const isGenesis = ({ blockNumber }: Body) => blockNumber === '0' && !hasVertices
  const unspent = (await outputs(network, chain, owner)).filter((utxo) => {
    // Rights to mint and properties have no amount.
    if (utxo.utxoType === 'mint' || (utxo.amount === '0' && utxo.asset.type !== 'nft')) return false
    const [since, until] = lifetimeOf(utxo)
    return (since <= at || isGenesis(utxo)) && at < until
  })
  const stakes = chain === 'p-chain' ? await stakesAt(network, owner, at) : []
  return summed([
    ...unspent.map((utxo) => [kindOf(utxo, chain, ids[chain], now), utxo] as const),
    ...stakes.map((utxo) => ['staked', utxo] as const),
  ])
}

/** Returns the stakes of an address at a time. */
async function stakesAt(network: Network, owner: string, at: number): Promise<Body[]> {
  const lifetimeOf = await lifetimes(network)
  const emitted = (await transactions(network, 'p-chain')).flatMap(({ emittedUtxos }) => emittedUtxos)
  return emitted.filter((utxo) => {
    const [end] = lifetimeOf(utxo)
    return (
      utxo.utxoType === 'STAKE' && utxo.addresses.includes(owner) && utxo.blockTimestamp <= at && at < end
    )
  })
}

/** Returns the member of a balance to which an output belongs. */
function kindOf(utxo: Body, chain: Chain, chainId: string, now: number): string {
  const { createdOnChainId, stakeableLocktime = 0, platformLocktime = 0, locktime = 0 } = utxo
  const isLocked = Math.max(stakeableLocktime, platformLocktime, locktime) > now
  if (createdOnChainId !== chainId) return isLocked ? 'atomicMemoryLocked' : 'atomicMemoryUnlocked'
  if (chain !== 'p-chain') return isLocked ? 'locked' : 'unlocked'
  if (stakeableLocktime > now) return 'lockedStakeable'
  return platformLocktime > now ? 'lockedPlatform' : 'unlockedUnstaked'
}

function summed(outputs: readonly (readonly [string, Body])[]): Body {
  const groups = Map.groupBy(outputs, ([kind, { assetId, asset }]) => `${kind} ${assetId} ${asset.type}`)
  const sums = [...groups].map(([key, group]) => {
    const amount = total(group, ([, utxo]) => utxo.amount)
    return `${key} ${amount} ${group.length}`
  })
  return sums.toSorted()
}

const STAKED = /^(?:(?:un)?lockedStaked|pendingStaked)$/

/** Returns the totals of an answer, with all kinds of stakes added up. */
function totalsIn(balances: Body): Body {
  const entries = Object.entries<readonly Body[]>(balances ?? {}).flatMap(([kind, totals]) =>
    totals.map((one) => [STAKED.test(kind) ? 'staked' : kind, one] as const),
  )
  const groups = Map.groupBy(entries, ([kind, { assetId, type }]) => `${kind} ${assetId} ${type}`)
  const sums = [...groups].map(([key, group]) => {
    const [amount, count] = [total(group, ([, one]) => one.amount), total(group, ([, one]) => one.utxoCount)]
    return `${key} ${amount} ${count}`
  })
  return sums.toSorted()
}

/** Compares the last activity of an address with its outputs and with the transaction that it names. */
async function compareActivity(
  network: Network,
  answer: Body,
  utxos: readonly Body[],
  chainId: string,
  same: Same,
): Promise<void> {
  const lifetimeOf = await lifetimes(network)
  const changes = utxos.flatMap((utxo) => {
    const [since, until] = lifetimeOf(utxo)
    return utxo.createdOnChainId === chainId ? [since, until] : [until]
  })
  const last = Math.max(...changes.filter((time) => Number.isFinite(time)))
  if (answer === undefined && !Number.isFinite(last)) return
  same('time', answer?.timestamp, last)
  if (answer === undefined || answer.txHash === PLATFORM) return
  const { txHash, blockNumber, timestamp, chainName } = answer
  const tx = (await transactions(network, chainName)).find((one) => one.txHash === txHash)
  same(txHash, { blockNumber, blockTimestamp: timestamp }, tx)
  const utxo = utxos.find(({ utxoId }) => utxoId === answer.utxoId)
  if (answer.isConsumed === true) same(txHash, txHash, utxo?.consumingTxHash)
}
