import { decimal, type PlainChain, type PlainTransaction, type PlainTransfer } from './plainEvm.ts'
import { creationsOf, type PlainContext, shapesOf } from './plainShapes.ts'

/**
 * Returns the expected answers about a recorded chain, derived from its JSON without any code of the service.
 * For tests only.
 */
export function plainAnswers(chain: PlainChain, context: PlainContext) {
  const shapes = shapesOf(chain, context)
  const newest = <T>(all: readonly T[]) => all.toReversed()
  const touches = (address: string) => (one: { readonly from: string; readonly to?: string | null }) =>
    one.from === address || one.to === address
  const transfersOf = (keep: (one: PlainTransfer) => boolean) => newest(chain.transfers.filter(keep))
  const inner = chain.calls.filter(({ position }) => position > 0)
  const native = (address: string, height: number) => ({
    ...context.token,
    chainId: context.chainId,
    balance: String(context.native(address, height)),
  })

  const parts = (of: PlainTransaction, address?: string) => {
    const isOwn = address === undefined ? () => true : touches(address)
    const own = chain.transfers.filter((one) => one.of === of && isOwn(one))
    const of20 = (standard: number) => own.filter((one) => one.standard === standard).map(shapes.transferPart)
    return {
      erc20Transfers: of20(20),
      erc721Transfers: of20(721),
      erc1155Transfers: of20(1155),
      internalTransactions: context.hasTraces
        ? inner.filter((call) => call.of === of && isOwn(call.frame)).map(shapes.callPart)
        : undefined,
    }
  }

  /** The recorded balances were not compared with the contracts. */
  const fromLogs = (height: number) => ({ basis: 'logs', blockNumber: String(height), isChecked: false })
  const erc721Balances = (address: string) =>
    shapes.owned(address).map(({ contract, tokenId }) => ({
      ...shapes.token(contract, tokenId),
      chainId: context.chainId,
      balanceSource: fromLogs(chain.blocks.length - 1),
      spamReasons: [],
    }))
  const erc1155Balances = (address: string, height: number) =>
    shapes.held(1155, address, height).map(({ contract, tokenId, balance }) => ({
      ...shapes.token(contract, tokenId),
      chainId: context.chainId,
      balance: String(balance),
      balanceSource: fromLogs(height),
      spamReasons: [],
    }))

  return {
    blocks: newest(chain.blocks).map(({ block }) => shapes.block(block)),
    transactions: (status?: 'failed' | 'success') =>
      newest(chain.transactions)
        .filter(
          ({ receipt }) => status === undefined || (receipt.status === '0x1') === (status === 'success'),
        )
        .map(shapes.transaction),
    ofBlock: (height: number) =>
      chain.transactions.filter((one) => one.height === height).map(shapes.transaction),
    native: (address: string, [from, until]: Range) =>
      newest(chain.transactions)
        .filter(
          ({ transaction, height }) => touches(address)(transaction) && height >= from && height < until,
        )
        .map(shapes.transaction),
    involving: (address: string, [from, until]: Range) =>
      newest(chain.transactions)
        .filter(
          (of) =>
            of.height >= from &&
            of.height < until &&
            (touches(address)(of.transaction) ||
              chain.transfers.some((one) => one.of === of && touches(address)(one)) ||
              (context.hasTraces && inner.some((one) => one.of === of && touches(address)(one.frame)))),
        )
        .map((of) => ({ nativeTransaction: shapes.transaction(of), ...parts(of, address) })),
    full: (of: PlainTransaction) => ({
      nativeTransaction: {
        ...shapes.transaction(of),
        input: of.transaction.input,
        baseFeePerGas: decimal(of.block.baseFeePerGas),
        maxFeePerGas: of.transaction.maxFeePerGas && decimal(of.transaction.maxFeePerGas),
        maxPriorityFeePerGas:
          of.transaction.maxPriorityFeePerGas && decimal(of.transaction.maxPriorityFeePerGas),
      },
      ...parts(of),
      networkTokenDetails: { networkToken: context.token },
    }),
    transfers: (standard: number, address: string, [from, until]: Range) =>
      transfersOf(
        (one) =>
          one.standard === standard &&
          touches(address)(one) &&
          one.of.height >= from &&
          one.of.height < until,
      ).map(shapes.transfer),
    contractTransfers: (contract: string, [from, until]: Range) =>
      transfersOf((one) => one.contract === contract && one.of.height >= from && one.of.height < until).map(
        shapes.transfer,
      ),
    internals: (address: string, [from, until]: Range) =>
      newest(inner)
        .filter(({ of, frame }) => touches(address)(frame) && of.height >= from && of.height < until)
        .map(shapes.call),
    deployments: (address: string) =>
      newest(creationsOf(chain))
        .filter(({ of }) => of.transaction.from === address)
        .map(shapes.deployment),
    deployment: (contract: string) => creationsOf(chain).findLast((one) => one.contract === contract)?.of,
    contract: (address: string) => {
      const creation = creationsOf(chain).findLast((one) => one.contract === address)
      return creation === undefined ? shapes.contract(address) : shapes.deployment(creation)
    },
    contracts: shapes.contracts,
    tokens: (contract: string) => shapes.tokensOf(contract).map((tokenId) => shapes.token(contract, tokenId)),
    nativeBalance: (address: string, height: number) => ({ nativeTokenBalance: native(address, height) }),
    erc20Balances: (address: string, height: number) =>
      shapes.held(20, address, height).map(({ contract, balance }) => ({
        ...shapes.erc20(contract),
        chainId: context.chainId,
        balance: String(balance),
        balanceSource: fromLogs(height),
        spamReasons: [],
        tokenReputation: null,
      })),
    erc721Balances,
    erc1155Balances,
    collectibles: (address: string, height: number) => {
      const place = (one: { readonly address: string; readonly tokenId: string }) =>
        one.address.toLowerCase() + one.tokenId.padStart(78, '0')
      return [...erc721Balances(address), ...erc1155Balances(address, height)].sort((a, b) =>
        place(a) < place(b) ? -1 : 1,
      )
    },
  }
}

/** Range of heights, `from` inclusive and `until` exclusive. */
export type Range = readonly [from: number, until: number]
