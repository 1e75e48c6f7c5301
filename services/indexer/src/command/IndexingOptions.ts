import { Common, group, option, Type, type Values } from '@firn/options'

/**
 * Options for indexing the Primary Network that `firn index`, `firn data-api` and `firn up` have in common.
 */
export const OPTIONS = {
  ...Common.POLL_INTERVAL,
  ...group('Indexing', {
    batchBlocks: option(Type.count, {
      default: 512,
      help: 'Maximum number of blocks in one database transaction.',
    }),
    checkSignatures: option(Type.flag, {
      default: true,
      help: "Check the proposers' signatures of containers from a node.",
      negatedHelp: "Do not check the proposers' signatures of containers from a node.",
    }),
  }),
}

/** The values of {@link OPTIONS}. */
export type Options = Values<typeof OPTIONS>

/** Converts options of the command to options of the indexer. */
export const toIndexer = ({ batchBlocks, pollInterval, checkSignatures }: Options) => ({
  batchBlocks,
  pollMs: pollInterval,
  checkSignatures,
})
