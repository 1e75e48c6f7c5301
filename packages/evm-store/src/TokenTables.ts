import { PROXY_KINDS } from '@firn/evm'
import {
  bool,
  bytea,
  int4,
  int8,
  jsonb,
  nullable,
  numeric,
  oneOf,
  text,
  uncompressed,
  withDefault,
} from '@firn/sql/table'
import { IMAGE_TYPES } from './ImageQueue.ts'
import { table } from './internal/evmTable.ts'

/** What contracts return, and where they have their code. */
const facts = {
  /** Token standard of the contract: 20, 721 or 1155; 0 for any other contract. */
  standard: int4,
  /** Name of the token as the bytes that the contract returns. */
  name: nullable(bytea),
  symbol: nullable(bytea),
  decimals: nullable(int4),
  /** Kind of proxy, see `ProxyKind` of `@firn/evm`; null if it is not known. */
  proxy: nullable(oneOf(...PROXY_KINDS)),
  /** Contract whose code a proxy runs. */
  implementation: nullable(bytea),
  /** Contract that tells a proxy its implementation. */
  beacon: nullable(bytea),
}

const token = { contract: bytea, token_id: numeric, standard: int4, since: int8 }

/** The tables of contracts, tokens and their holders. */
export const TOKEN_TABLES = {
  /** Contracts that were created or that emitted transfers. */
  contract: table({
    columns: {
      address: bytea,
      /** Height at which the contract was first seen. */
      since: int8,
      ...facts,
      /**
       * Whether the values in its ERC-20 transfer logs are ids of ERC-721 tokens, as in CryptoKitties; null if the contract
       * was not asked. Its transfers are then stored as transfers of ERC-721. An undo keeps the answer.
       */
      values_are_ids: nullable(bool),
    },
    primaryKey: ['address'],
    indexes: { storing: ['(beacon) where beacon is not null', '(address) where values_are_ids'] },
  }),
  /** Contracts to read again, because they may have changed or did not answer all questions. */
  contract_due: table({
    columns: {
      contract: bytea,
      /** Number of times that the contract was read again since it may have changed. */
      attempts: int4,
      /** Block time from which the contract is read again, in Unix seconds. */
      due: int8,
    },
    primaryKey: ['contract'],
    indexes: { storing: ['(due)'] },
  }),
  /** What was known of a contract before a reading at the block at `height` changed it. An undo returns to it. */
  contract_version: table({
    columns: { contract: bytea, height: int8, ...facts },
    primaryKey: ['contract', 'height'],
    indexes: { storing: ['(height)'] },
  }),
  /** Tokens of ERC-721 and ERC-1155 contracts that were transferred at least once. */
  token: table({ columns: token, primaryKey: ['contract', 'token_id'] }),
  /** Tokens for which no result of fetching the metadata is stored yet. */
  token_unseen: table({
    columns: token,
    primaryKey: ['contract', 'token_id'],
    indexes: { storing: ['(since, contract, token_id)'] },
  }),
  /**
   * Owners of ERC-721 tokens. Each row contains the height from which the address owned the token. Burnt
   * tokens are owned by the zero address.
   */
  token_owner: table({
    columns: {
      contract: bytea,
      token_id: numeric,
      since: int8,
      /** First height at which another address owned the token; null for the current owner. */
      until: nullable(int8),
      owner: bytea,
    },
    primaryKey: ['contract', 'token_id', 'since'],
    indexes: {
      requests: ['(owner, contract, token_id) where until is null', '(owner, until) where until is not null'],
    },
  }),
  /**
   * Token balances of addresses, except those in `token_holder`. Each row contains the height from which the balance is
   * valid. The zero address has no rows. A balance is the sum of the transfers. It can be negative if a contract moves
   * tokens without emitting transfers, or emits wrong transfers. The tables of checks contain the results for such
   * contracts.
   */
  token_balance: table({
    columns: {
      since: int8,
      /**
       * Token standard: 20, 721 or 1155. For 721, the balance is the number of the contract's tokens that the
       * address owns.
       */
      standard: int4,
      contract: bytea,
      address: bytea,
      /** Id of the token; 0 unless the standard is 1155. */
      token_id: numeric,
      balance: numeric,
      /**
       * Sum of the deposits and withdrawals; see `wrapping`. Only the balances of wrapped native tokens include it;
       * see `token_check`.
       */
      wrapped: withDefault(numeric, '0'),
    },
    primaryKey: ['address', 'standard', 'contract', 'token_id', 'since'],
    // All other holders are found in `token_holder`.
    indexes: { requests: ['(contract, balance) where standard = 1155 or wrapped <> 0'] },
  }),
  /**
   * For each address and ERC-20 or ERC-721 contract, the state after the last transfer that changed the balance. The
   * columns equal `token_balance`, which contains all other states. Later ones only changed `wrapped`.
   */
  token_holder: table({
    columns: {
      since: int8,
      /** Height at which the balance first reached the peak; null if it is `since`. */
      peak_since: nullable(int8),
      standard: int4,
      contract: bytea,
      address: bytea,
      balance: numeric,
      wrapped: withDefault(numeric, '0'),
      /** The highest balance so far; null if `balance` is the highest and was first reached at `since`. */
      peak: nullable(numeric),
    },
    // With the standard first, an entry needs less padding.
    primaryKey: ['standard', 'address', 'contract'],
    // With the negated balance, a row comparison finds the place in a list of descending balances.
    indexes: {
      requests: [
        '(standard, contract, (- balance), address, (coalesce(peak, (0)::numeric)))',
        '(standard, contract, peak) where peak > balance',
      ],
    },
  }),
  /** Newest balances of ERC-1155 tokens, except for 0. `token_balance` contains them with all earlier ones. */
  item_holder: table({
    columns: {
      contract: bytea,
      /** Id of the token; -1 for the sum over all tokens of the contract. */
      token_id: numeric,
      address: bytea,
      balance: numeric,
    },
    primaryKey: ['address', 'contract', 'token_id'],
    indexes: { requests: ['(contract, token_id, (- balance), address)'] },
  }),
  /** How the tokens of a contract reached their recipients; see `Airdrops`. */
  token_airdrop: table({
    columns: {
      contract: bytea,
      /** Number of transfers to one of many recipients that did not send the transaction. */
      airdropped: int8,
      /** Number of all other transfers. */
      others: int8,
    },
    primaryKey: ['contract'],
    parameters: 'fillfactor = 70',
  }),
  /** Results of fetching the URIs of tokens; see `TokenQueue`. */
  token_metadata: table({
    columns: {
      contract: bytea,
      token_id: numeric,
      uri: text,
      index_status: text,
      /** Time of the last attempt in Unix seconds. */
      checked_at: int8,
      attempts: int4,
      /** Time of the next attempt, in Unix seconds; null if no other attempt is scheduled. */
      retry_at: nullable(int8),
      /** The parsed metadata; see `Metadata`. */
      metadata: nullable(jsonb),
    },
    primaryKey: ['contract', 'token_id'],
    indexes: { storing: ['(retry_at) where retry_at is not null'] },
  }),
  /** Tokens whose metadata names an image, and the results of copying it; see `ImageQueue`. */
  token_image: table({
    columns: {
      contract: bytea,
      token_id: numeric,
      /** Hash of the copy in `image`; null if there is none. */
      hash: nullable(bytea),
      /** Why the last attempt stored no copy, or `removed` if others took its space; null if there is one. */
      failure: nullable(text),
      attempts: int4,
      /** Time of the next attempt, in Unix seconds; null if no other attempt is scheduled. */
      retry_at: nullable(int8),
    },
    primaryKey: ['contract', 'token_id'],
    indexes: { storing: ['(retry_at) where retry_at is not null', '(hash) where hash is not null'] },
  }),
  /** Copies of the images of tokens. The oldest are removed when the limit of their total size is reached. */
  image: table({
    columns: {
      /** SHA-256 of the bytes. */
      hash: bytea,
      content_type: oneOf(...IMAGE_TYPES),
      width: int4,
      height: int4,
      /** Size that counts against the limit, in bytes: the size of the image and of its other columns. */
      size: int4,
      /** Time at which a token last got this copy, in Unix seconds. */
      stored_at: int8,
      bytes: uncompressed(bytea),
    },
    primaryKey: ['hash'],
    indexes: { storing: ['(stored_at, hash, size)'] },
  }),
}

/**
 * What a contract's balances rest on. `logs`: the sums of its logs are its balances. `chain`: they are not, so
 * only answers of the contract are balances.
 */
export const BALANCE_BASES = ['logs', 'chain'] as const
export type BalanceBasis = (typeof BALANCE_BASES)[number]

/**
 * Kinds of token contracts by how their answers differ from their logs.
 *
 * - `wellBehaved`: balances are the sums of the transfers
 * - `wrappedNative`: balances are the sums of the transfers, deposits and withdrawals
 * - `feeOnTransfer`: the recipient of a transfer received less than the log says
 * - `rebasing`: a balance changed without a log
 * - `nonStandard`: other differences, or `balanceOf` returns no number
 * - `lying`: two calls at the same block returned different balances
 */
export const TOKEN_CLASSES = [
  'wellBehaved',
  'wrappedNative',
  'feeOnTransfer',
  'rebasing',
  'nonStandard',
  'lying',
] as const
export type TokenClass = (typeof TOKEN_CLASSES)[number]

/** The columns that identify a balance; see `token_balance`. */
const holding = { contract: bytea, standard: int4, token_id: numeric, address: bytea }

/** The tables of the checks that compare balances with the contracts' answers (`balanceOf`). */
export const CHECK_TABLES = {
  /**
   * Logs `Deposit` and `Withdrawal`, with which wrapped native tokens change balances. The block digests do not
   * cover them, because older versions did not store them.
   */
  wrapping: table({
    columns: {
      height: int8,
      log_index: int8,
      contract: bytea,
      address: bytea,
      /** Amount by which the balance changes; negative for a withdrawal. */
      amount: numeric,
    },
    primaryKey: ['height', 'log_index'],
    partitionBy: ['height'],
  }),
  /**
   * Ranges of heights (inclusive) in which all changed balances were checked, except those in `unchecked_balance`. The
   * end of the last range is the height of the checks.
   */
  checked_range: table({ columns: { first: int8, last: int8 }, primaryKey: ['first'] }),
  /** What the balances of a contract rest on, from a height until the contract's next row. */
  token_check: table({
    columns: {
      contract: bytea,
      since: int8,
      /** Height of the block whose check added the row. */
      height: int8,
      basis: oneOf(...BALANCE_BASES),
      class: oneOf(...TOKEN_CLASSES),
      /** Number of blocks at which all balances that were asked for agreed and at least one was not 0. */
      agreements: int4,
      /** Time of the first of these blocks, in Unix seconds. */
      agreed_from: nullable(int8),
      /** Height of the last check that agreed. A reorg may have removed the block. */
      checked_to: int8,
      /** Block time from which holders are checked again; null in rows that no longer count. */
      due: nullable(int8),
    },
    primaryKey: ['contract', 'since'],
    indexes: { storing: ['(height)', '(due) where due is not null'] },
  }),
  /** Balances that changed in a checked range and were not checked yet. */
  unchecked_balance: table({
    columns: { ...holding, since: int8 },
    primaryKey: ['contract', 'standard', 'token_id', 'address'],
    indexes: { storing: ['(since)'] },
  }),
  /**
   * Balances that a contract returned at a block. They are stored for contracts whose balances rest on the chain, and
   * for balances that last changed before the checked range.
   */
  balance_reading: table({
    columns: { ...holding, height: int8, balance: numeric },
    primaryKey: ['address', 'standard', 'contract', 'token_id', 'height'],
    indexes: { storing: ['(height)', '(contract, height)'] },
  }),
}
