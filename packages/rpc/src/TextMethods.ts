import { type TextMethods, textMethods } from './internal/text.ts'
import * as layouts from './layouts.ts'

// The tables are marked as pure, so that bundlers leave out those that a program doesn't use.

/** Methods of the Admin API of a node, which is served at `/ext/admin` if it is enabled. */
export const AdminMethods: TextMethods<typeof layouts.AdminMethods> = /* @__PURE__ */ textMethods(
  layouts.AdminMethods,
)

/** The C-chain's methods for imports and exports of AVAX, served at `/ext/bc/C/avax`. */
export const AvaxMethods: TextMethods<typeof layouts.AvaxMethods> = /* @__PURE__ */ textMethods(
  layouts.AvaxMethods,
)

/** The X-chain's API, served at `/ext/bc/X`. Assets are identified by their alias (such as `AVAX`) or id. */
export const AvmMethods: TextMethods<typeof layouts.AvmMethods> = /* @__PURE__ */ textMethods(
  layouts.AvmMethods,
)

/**
 * Methods of the Health API of a node, which is served at `/ext/health`. A `GET` request returns the result
 * of the method that the last path segment names.
 */
export const HealthMethods: TextMethods<typeof layouts.HealthMethods> = /* @__PURE__ */ textMethods(
  layouts.HealthMethods,
)

/**
 * Methods of the Index API, which is served at `/ext/index/{P,X,C}/block` and `/ext/index/X/{tx,vtx}` by
 * nodes with indexing enabled.
 */
export const IndexMethods: TextMethods<typeof layouts.IndexMethods> = /* @__PURE__ */ textMethods(
  layouts.IndexMethods,
)

/** Methods of the Info API of a node, which is served at `/ext/info`. */
export const InfoMethods: TextMethods<typeof layouts.InfoMethods> = /* @__PURE__ */ textMethods(
  layouts.InfoMethods,
)

/**
 * The P-chain's methods for blocks, transactions, subnets and blockchains; part of {@link PlatformMethods}.
 */
export const PlatformChainMethods: TextMethods<typeof layouts.PlatformChainMethods> =
  /* @__PURE__ */ textMethods(layouts.PlatformChainMethods)

/**
 * The P-chain's methods for fees; part of {@link PlatformMethods}. Numbers in their results are JSON numbers,
 * not strings.
 */
export const PlatformFeeMethods: TextMethods<typeof layouts.PlatformFeeMethods> = /* @__PURE__ */ textMethods(
  layouts.PlatformFeeMethods,
)

/** Methods of the P-chain API of a node, which is served at `/ext/bc/P` and `/ext/P`. */
export const PlatformMethods: TextMethods<typeof layouts.PlatformMethods> = /* @__PURE__ */ textMethods(
  layouts.PlatformMethods,
)

/** The P-chain's methods for validators, delegators and their stakes; part of {@link PlatformMethods}. */
export const PlatformStakingMethods: TextMethods<typeof layouts.PlatformStakingMethods> =
  /* @__PURE__ */ textMethods(layouts.PlatformStakingMethods)

/** The P-chain's methods for UTXOs; part of {@link PlatformMethods}. */
export const PlatformUtxoMethods: TextMethods<typeof layouts.PlatformUtxoMethods> =
  /* @__PURE__ */ textMethods(layouts.PlatformUtxoMethods)

/**
 * Methods of the proposervm API of a chain, which is served at `/ext/bc/{chain}/proposervm` by nodes that run
 * the chain.
 */
export const ProposerVmMethods: TextMethods<typeof layouts.ProposerVmMethods> = /* @__PURE__ */ textMethods(
  layouts.ProposerVmMethods,
)

/** The wallet API's methods that nodes still serve at `/ext/bc/X/wallet`. */
export const WalletMethods: TextMethods<typeof layouts.WalletMethods> = /* @__PURE__ */ textMethods(
  layouts.WalletMethods,
)
