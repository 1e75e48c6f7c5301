import { type AggregatorClient, createAggregatorClient } from '@firn/client/aggregator'
import { ConsoleError } from '../ConsoleError.ts'
import { type Session, useSession } from './Session.ts'

/** The signature aggregator of this process, or of another service of the same process. */
export interface Aggregator extends AggregatorClient {
  /** Base URL without a slash at the end. */
  readonly url: string
  /** Name of the network in the paths of its API. */
  readonly network: string
}

/** Returns the aggregator of a session; undefined if there is none. */
export function find({ api, apiKey }: Session): Aggregator | undefined {
  const found = api('aggregator')
  if (found === undefined) return undefined
  const { url, network = 'local' } = found
  return { url, network, ...createAggregatorClient({ url, apiKey, retries: 1 }) }
}

/** Returns the aggregator. @throws ConsoleError `CONSOLE_API` if this process has none */
export function useAggregator(): Aggregator {
  const aggregator = find(useSession())
  if (aggregator !== undefined) return aggregator
  throw new ConsoleError(
    'CONSOLE_API',
    'This service has no signature aggregator. Open the console of one, or start it with firn up.',
  )
}
