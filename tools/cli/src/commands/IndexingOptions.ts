import type { Command } from 'commander'
import { count } from './Flags.ts'

/** Options of indexing the Primary Network, wherever it runs: in `firn index`, `firn data-api` and `firn up`. */
export type Options = {
  readonly batchBlocks: number
  readonly pollInterval: number
  readonly checkSignatures: boolean
}

/** Adds the options of indexing. */
export const withIndexing = (command: Command): Command =>
  command
    .option('--poll-interval <ms>', 'milliseconds between two requests for new blocks', count, 500)
    .option('--batch-blocks <n>', 'most blocks in one transaction of the database', count, 512)
    .option('--no-check-signatures', "leave the proposers' signatures of a node's containers unchecked")

/** Returns the options in the indexer's own terms. */
export const toIndexer = ({ batchBlocks, pollInterval, checkSignatures }: Options) => ({
  batchBlocks,
  pollMs: pollInterval,
  checkSignatures,
})
