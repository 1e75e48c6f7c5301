import { Common, group, option, Type, type Values } from '@firn/options'

/** Options for indexing the Primary Network in `firn index`, `firn data-api` and `firn up`. */
export const OPTIONS = {
  ...Common.POLL_INTERVAL,
  ...group('Indexing', {
    batchBlocks: option(Type.count, {
      default: 512,
      help: 'Most blocks in one transaction of the database.',
    }),
    checkSignatures: option(Type.flag, {
      default: true,
      help: "Check the proposers' signatures of a node's containers; --no-check-signatures does not.",
    }),
  }),
}

/** The values of {@link OPTIONS}. */
export type Options = Values<typeof OPTIONS>

/** Converts the options to the indexer's. */
export const toIndexer = ({ batchBlocks, pollInterval, checkSignatures }: Options) => ({
  batchBlocks,
  pollMs: pollInterval,
  checkSignatures,
})
