import { type CheckedMethods, checked, checkedMethod, checkedMethods } from './internal/checked.ts'
import type * as Layout from './Layout.ts'
import * as layouts from './layouts.ts'
import type * as Schema from './Schema.ts'

// The tables are marked as pure, so that bundlers leave out those that a program doesn't use.

/** Methods of the Admin API of a node, which is served at `/ext/admin` if it is enabled. */
export const AdminMethods: CheckedMethods<typeof layouts.AdminMethods> = /* @__PURE__ */ checkedMethods(
  layouts.AdminMethods,
)

/** The C-chain's methods for imports and exports of AVAX, served at `/ext/bc/C/avax`. */
export const AvaxMethods: CheckedMethods<typeof layouts.AvaxMethods> = /* @__PURE__ */ checkedMethods(
  layouts.AvaxMethods,
)

/** The X-chain's API, served at `/ext/bc/X`. Assets are identified by their alias (such as `AVAX`) or id. */
export const AvmMethods: CheckedMethods<typeof layouts.AvmMethods> = /* @__PURE__ */ checkedMethods(
  layouts.AvmMethods,
)

/**
 * Methods of the Health API of a node, which is served at `/ext/health`. A `GET` request returns the result
 * of the method that the last path segment names.
 */
export const HealthMethods: CheckedMethods<typeof layouts.HealthMethods> = /* @__PURE__ */ checkedMethods(
  layouts.HealthMethods,
)

/**
 * Methods of the Index API, which is served at `/ext/index/{P,X,C}/block` and `/ext/index/X/{tx,vtx}` by
 * nodes with indexing enabled.
 */
export const IndexMethods: CheckedMethods<typeof layouts.IndexMethods> = /* @__PURE__ */ checkedMethods(
  layouts.IndexMethods,
)

/** Methods of the Info API of a node, which is served at `/ext/info`. */
export const InfoMethods: CheckedMethods<typeof layouts.InfoMethods> = /* @__PURE__ */ checkedMethods(
  layouts.InfoMethods,
)

/** Methods of the P-chain API of a node, which is served at `/ext/bc/P` and `/ext/P`. */
export const PlatformMethods: CheckedMethods<typeof layouts.PlatformMethods> = /* @__PURE__ */ checkedMethods(
  layouts.PlatformMethods,
)

/** The P-chain's methods for UTXOs; part of {@link PlatformMethods}. */
export const PlatformUtxoMethods: CheckedMethods<typeof layouts.PlatformUtxoMethods> =
  /* @__PURE__ */ checkedMethods(layouts.PlatformUtxoMethods)

/**
 * Methods of the proposervm API of a chain, which is served at `/ext/bc/{chain}/proposervm` by nodes that run
 * the chain.
 */
export const ProposerVmMethods: CheckedMethods<typeof layouts.ProposerVmMethods> =
  /* @__PURE__ */ checkedMethods(layouts.ProposerVmMethods)

/** The wallet API's methods that nodes still serve at `/ext/bc/X/wallet`. */
export const WalletMethods: CheckedMethods<typeof layouts.WalletMethods> = /* @__PURE__ */ checkedMethods(
  layouts.WalletMethods,
)

/**
 * The result of one health check of a node. `error` is set if the last run failed, and `duration` is in
 * nanoseconds.
 */
export const HealthCheck = /* @__PURE__ */ checked(layouts.HealthCheck)

/** The TypeScript type of {@link HealthCheck}. */
export type HealthCheck = Schema.Infer<typeof HealthCheck>

/** The results of all checks by name, and whether all of them passed. */
export const HealthReport = /* @__PURE__ */ checked(layouts.HealthReport)

/** The TypeScript type of {@link HealthReport}. */
export type HealthReport = Schema.Infer<typeof HealthReport>

/**
 * A container that a chain accepted: the block as consensus saw it, the time at which this node accepted it,
 * and its index.
 */
export const IndexedContainer = /* @__PURE__ */ checked(layouts.IndexedContainer)

/** Transaction id and index of an output. */
export const UtxoId = /* @__PURE__ */ checked(layouts.UtxoId)

/**
 * The start or end of a page of UTXOs: an address, and the id of one of its UTXOs. Both members are empty strings if
 * the page has no start or end.
 */
export const UtxoIndex = /* @__PURE__ */ checked(layouts.UtxoIndex)

/**
 * Returns the UTXOs of at most 1,024 addresses. `sourceChain` (an alias or id) selects the UTXOs that another
 * chain exported to this chain.
 */
export const GetUtxos = /* @__PURE__ */ checkedMethod(layouts.GetUtxos)

/** Issues an encoded transaction, which the node forwards to the network. */
export const IssueTx = /* @__PURE__ */ checkedMethod(layouts.IssueTx)

/** The TypeScript type of an entry of `info.peers`. */
export type Peer = Layout.ValueOf<typeof layouts.Peer>

/** The levels of one logger: `logLevel` for its file and `displayLevel` for standard output. */
export type LoggerLevels = Layout.ValueOf<typeof layouts.LoggerLevels>
