import { type Body, type Checks, total, unique } from './Checks.ts'
import { type Chain, details, list } from './evmChecks.ts'
import { tokens } from './tokenChecks.ts'

/** Transactions with their parts. */
type Details = readonly Body[]

const TRANSFERS = ['erc20Transfers', 'erc721Transfers', 'erc1155Transfers'] as const

/** Returns what transactions and their token transfers name as sender and recipient. */
function parties(txs: Details, ...ends: readonly ('from' | 'to')[]): number {
  const moves = txs.flatMap((tx) => [tx.nativeTransaction, ...TRANSFERS.flatMap((part) => tx[part] ?? [])])
  return unique(moves.flatMap((move) => ends.map((end) => move[end].address))).length
}

const gasOf = ({ nativeTransaction: { gasUsed } }: Body) => BigInt(gasUsed)
const feeOf = ({ nativeTransaction: { gasUsed, gasPrice } }: Body) => BigInt(gasUsed) * BigInt(gasPrice)
const sum = (values: readonly bigint[]) => Number(values.reduce((all, value) => all + value, 0n))

/** Values of metrics of a period, as they follow from its transactions. */
const METRICS: Readonly<Record<string, (txs: Details) => number>> = {
  txCount: (txs) => txs.length,
  gasUsed: (txs) => sum(txs.map(gasOf)),
  feesPaid: (txs) => sum(txs.map(feeOf)),
  activeSenders: (txs) => parties(txs, 'from'),
  activeAddresses: (txs) => parties(txs, 'from', 'to'),
}
const INTERVALS = ['hour', 'day', 'week', 'month'] as const

/** Returns the newest values of a metric of a chain, or of several. */
async function points(
  chain: Chain,
  metric: string,
  interval: string,
  which = chain.chainId,
): Promise<readonly Body[]> {
  const path = `/v2/chains/${which}/metrics/${metric}?timeInterval=${interval}&pageSize=2160`
  return (await chain.one(path))?.results ?? []
}

const timeOf = ({ nativeTransaction: { blockTimestamp } }: Body): number => blockTimestamp

/** Comparisons of metrics of EVM chains, and of lists of holders. */
export const METRIC_CHECKS: Checks<Chain> = {
  getEvmChainMetrics: async (chain, same) => {
    const all = await details(chain)
    for (const [metric, measure] of Object.entries(METRICS))
      for (const interval of INTERVALS) {
        let end = Number.POSITIVE_INFINITY
        for (const { timestamp, value } of await points(chain, metric, interval)) {
          const own = all.filter((tx) => timeOf(tx) >= timestamp && timeOf(tx) < end)
          // Most periods of a recorded chain are empty.
          if (own.length > 0 || value !== 0)
            same.whole(`${metric} ${interval} ${timestamp}`, value, measure(own))
          end = timestamp
        }
      }
    const [last] = await points(chain, 'cumulativeTxCount', 'day')
    same.whole('cumulativeTxCount', last?.value, all.length)
  },
  getEvmChainRollingWindowMetrics: async (chain, same) => {
    for (const [metric, measure] of Object.entries(METRICS)) {
      const { result } = await chain.one(`/v2/chains/${chain.chainId}/rollingWindowMetrics/${metric}`)
      same.whole(metric, result.allTime, measure(await details(chain)))
      const [hour] = await points(chain, metric, 'hour')
      same.whole(metric, result.lastHour, hour?.value)
    }
  },
  getAverageTps: async (chain, same) => {
    const { results } = await chain.one(`/v1/avg_tps/${chain.chainId}`)
    same.whole('days', results, (await points(chain, 'avgTps', 'day')).slice(0, results.length))
  },
  listChains: async (chain, same) => {
    const { chains } = await chain.one('/v2/chains')
    for (const one of chains) {
      same(one.evmChainId, one, await chain.one(`/v2/chains/${one.evmChainId}`))
      same(one.evmChainId, { chainName: one.chainName }, await chain.one(`/v1/chains/${one.evmChainId}`))
    }
    for (const metric of ['txCount', 'gasUsed']) {
      const each = await Promise.all(
        chains.map(({ evmChainId }: Body) => points(chain, metric, 'day', evmChainId)),
      )
      for (const { timestamp, value } of (await points(chain, metric, 'day', 'total')).slice(0, 10)) {
        const own = each.flat().filter((point) => point.timestamp === timestamp)
        same.whole(
          `${metric} ${timestamp}`,
          String(value),
          total(own, (point) => point.value),
        )
      }
    }
  },
  listHolders: async (chain, same) => {
    const transfers = (await details(chain)).flatMap(({ erc20Transfers = [] }) => erc20Transfers)
    for (const [contract, own] of Map.groupBy(transfers, ({ erc20Token }) => erc20Token.address)) {
      const path = `/v2/chains/${chain.chainId}/contracts/${contract}/balances?threshold=0`
      const holders = await chain.all(path, 'addresses')
      const found = new Map(holders.map(({ address, sortKey }) => [address, sortKey]))
      for (const address of unique(own.flatMap(({ from, to }) => [from.address, to.address]))) {
        const query = `contractAddresses=${contract}&filterSpamTokens=false`
        const [held] = await list(
          chain,
          `/addresses/${address}/balances:listErc20?${query}`,
          'erc20TokenBalances',
        )
        // Holders are sorted by the sums of transfers, whatever the contract says.
        if (held?.balanceSource?.basis === 'chain') continue
        same.whole(`${contract} ${address}`, found.get(address) ?? 0, Number(held?.balance ?? 0))
      }
    }
  },
  getNftHoldersByContractAddress: async (chain, same) => {
    for (const address of unique((await tokens(chain)).map((token) => token.address))) {
      const holders = await list(chain, `/nfts/collections/${address}/holders`, 'holders')
      const path = `/v2/chains/${chain.chainId}/contracts/${address}/nfts:listHolders`
      const { totalHolders, totalTokens } = await chain.one(path)
      const sorted = holders.map((holder) => ({ address: holder.address, sortKey: holder.balance }))
      same.whole(address, await chain.all(path, 'addresses'), sorted)
      same.whole(
        address,
        String(totalTokens),
        total(holders, ({ balance }) => balance),
      )
      same.whole(address, totalHolders, holders.length)
    }
  },
}
