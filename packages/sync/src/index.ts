/**
 * Fetches the chains of the Primary Network from its validators and follows them, over an abstract transport, clock and
 * store.
 *
 * @module
 */
export * as Answers from './Answers.ts'
export type { Block, BlockStore, Interval } from './BlockStore.ts'
export { type BootstrapOptions, bootstrap } from './Bootstrap.ts'
export { type Budget, createBudget } from './Budget.ts'
export * as Containers from './Containers.ts'
export {
  type DagOptions,
  fetchVertices,
  type LinkedVertices,
  linkedVertices,
  orderedVertices,
} from './Dag.ts'
export type { DropReason, Events, Phase, Progress } from './Events.ts'
export { type Advance, type FollowOptions, follow } from './Follow.ts'
export type { SyncDependencies } from './internal/Context.ts'
export * as Options from './Options.ts'
export {
  type Conduct,
  createPeerRanking,
  type PeerRanking,
  type PeerRankingOptions,
  type PeerStanding,
  type PickOptions,
} from './PeerRanking.ts'
export * as Poll from './Poll.ts'
export * as Segments from './Segments.ts'
export { SyncError, type SyncErrorCode } from './SyncError.ts'
export type { Checkpoint, Tip } from './Tip.ts'
export type {
  ChainAnswer,
  ChainAnswers,
  ChainRequestKind,
  ChainRequests,
  Transport,
} from './Transport.ts'
export type { StoredVertex, VertexStore } from './VertexStore.ts'
export * as Voters from './Voters.ts'
