import type { EvmContext } from '../evm/chain/EvmContext.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { METRICS, type MetricName } from './Metrics.ts'
import { type Aggregate, chainsWith } from './metricsChains.ts'
import * as Series from './Series.ts'
import * as SeriesToken from './SeriesToken.ts'
import type { UuidTokens } from './UuidTokens.ts'

/** Parameters of the requested page. */
export interface MetricRequest extends SeriesToken.Given {
  readonly chainId: bigint | Aggregate
  readonly metric: MetricName
  readonly until: bigint | undefined
  readonly limit: number
}

/** A page of a metric, with the token of the next page if there is one. */
export interface Page extends Series.Series {
  readonly nextPageToken: string | undefined
}

/**
 * Returns a page of a metric. An expired or foreign page token gives the first page.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_PAGE_TOKEN`, `DATA_NOT_FOUND`, `DATA_UNAVAILABLE`
 */
export async function metricPage(
  context: EvmContext,
  tokens: UuidTokens,
  asked: MetricRequest,
  signal: AbortSignal,
): Promise<Page> {
  const metric = METRICS[asked.metric]
  const served = chainsWith(context, asked.chainId, asked.metric)
  const name = JSON.stringify([asked.metric, String(asked.chainId)])
  const kept = SeriesToken.open(tokens, name, asked)
  const interval = kept?.interval ?? asked.interval ?? 'day'
  if (metric.isDaily && interval !== 'day') {
    throw Parameter.refused('timeInterval', `day, the only interval of ${asked.metric}`, interval)
  }
  const from = kept === undefined ? asked.from : kept.from
  const until = SeriesToken.least(kept?.until, asked.until)
  const series = await Series.read(served, { metric, interval, from, until, limit: asked.limit }, signal)
  SeriesToken.assertReached(kept, series.time)
  const last = series.points.at(-1)
  const next = series.hasMore && last !== undefined ? { interval, from, until: last.start } : undefined
  return { ...series, nextPageToken: next && SeriesToken.seal(tokens, name, next) }
}
