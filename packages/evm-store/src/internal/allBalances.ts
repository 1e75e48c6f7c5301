/**
 * A table of all token balances, with the columns of `token_balance`. The balances of ERC-20 and ERC-721 tokens after
 * the last transfer are in `token_holder`, all others in `token_balance`.
 */
export const ALL_BALANCES = `(select address, standard, contract, token_id, since, balance, wrapped from token_balance
  union all select address, standard, contract, 0::numeric, since, balance, wrapped from token_holder)`
