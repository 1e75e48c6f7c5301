import { Command, group, type Option, option, pick, Type } from '@firn/options'
import type { Signing } from '@firn/txs'
import { type Context, OPERATIONS, type RequestOf } from '@firn/wallet'
import * as Avax from './Avax.ts'
import * as Fields from './Fields.ts'
import * as Finish from './Finish.ts'
import { type Own, SUMMARIES } from './Names.ts'
import { settingOf, WALLET } from './Setting.ts'

/** An option for each member of an operation's input. */
type OptionsOf<Given> = {
  readonly [K in keyof Given]-?: Record<never, never> extends Pick<Given, K>
    ? Option<Given[K] | undefined>
    : Option<Given[K]>
}

type Declaration<Given> = { readonly example: string; readonly options: OptionsOf<Given> }

/** The command of each operation. A new operation, or a new member of its input, does not compile until it is here. */
type Declarations = {
  readonly [C in 'P' | 'X']: {
    readonly [K in Own<C>]: Declaration<RequestOf<(typeof OPERATIONS)[C][K]>>
  }
}

const id = (help: string) => option(Fields.ID, { isRequired: true, help })
const nodeId = option(Fields.NODE_ID, { isRequired: true, help: 'NodeID of the validator.' })
const owners = (help: string, defaultText = 'the first signer') =>
  option(Fields.RECEIVER, { defaultText, help })
const avax = (help: string) => option(Fields.AVAX, { isRequired: true, help })
const end = option(Fields.MOMENT, {
  isRequired: true,
  help: 'End of the period: Unix seconds, a time such as 2027-01-31T00:00:00Z, or +15d for 15 days from now.',
})
const signer = option(Fields.SIGNER, {
  isRequired: true,
  help: "The node's BLS key: the response of info.getNodeID, or a file with it.",
})
const delegationFee = option(Fields.PERCENT, {
  isRequired: true,
  help: "The validator's share of the rewards of its delegators, in percent.",
})
const compounded = option(Fields.PERCENT, {
  isRequired: true,
  help: 'Share of the rewards that is staked again, in percent.',
})
const subnetId = id('Id of the subnet.')
const validationId = id('Id of the validation (validationID).')
const message = (help: string) => option(Fields.MESSAGE, { isRequired: true, help })
const assetId = id('Id of the asset.')
const receivers = (help: string) => option(Type.list(Fields.RECEIVER), { help })
const rewards = {
  rewardsTo: owners('Receives the rewards.'),
  delegationRewardsTo: owners('Receives the fees of delegators.', 'as --rewards-to'),
}

const REACH = '--keys keys.txt --upstream http://127.0.0.1:9650'
const SUBNET = '--subnet-id 2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'
const NODE = '--node-id NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const ASSET = '--asset-id 2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'
const VALIDATION = '--validation-id 2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'

const DECLARATIONS: Declarations = {
  P: {
    createSubnet: {
      example: `${REACH} --send`,
      options: { owner: owners('Owner of the subnet.') },
    },
    transferSubnetOwnership: {
      example: `${SUBNET} --owner P-fuji1… ${REACH} --send`,
      options: {
        subnetId,
        owner: option(Fields.RECEIVER, { isRequired: true, help: 'New owner of the subnet.' }),
      },
    },
    createChain: {
      example: `${SUBNET} --name 'My L1' --vm-id srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy --genesis genesis.json ${REACH} --send`,
      options: {
        subnetId,
        name: option(Type.text, { isRequired: true, help: 'Name of the blockchain.' }),
        vmId: id('Id of the virtual machine.'),
        genesis: option(Fields.CONTENT, { isRequired: true, help: 'File with the genesis, or hex with 0x.' }),
        fxIds: option(Type.list(Fields.ID), { help: 'Ids of feature extensions.' }),
      },
    },
    addSubnetValidator: {
      example: `${SUBNET} ${NODE} --weight 20 --end +30d ${REACH} --send`,
      options: {
        subnetId,
        nodeId,
        weight: option(Fields.UNITS, { isRequired: true, help: 'Weight of the validator.' }),
        end,
      },
    },
    removeSubnetValidator: {
      example: `${SUBNET} ${NODE} ${REACH} --send`,
      options: { subnetId, nodeId },
    },
    addValidator: {
      example: `${NODE} --stake 2000 --end +30d --delegation-fee 2 --signer node.json ${REACH} --send`,
      options: { nodeId, stake: avax('Amount of AVAX to stake.'), end, delegationFee, signer, ...rewards },
    },
    addAutoRenewedValidator: {
      example: `${NODE} --stake 2000 --period 14d --compounded 100 --delegation-fee 2 --signer node.json ${REACH} --send`,
      options: {
        nodeId,
        stake: avax('Amount of AVAX to stake.'),
        period: option(Fields.PERIOD, { isRequired: true, help: 'Length of a period.' }),
        compounded,
        delegationFee,
        signer,
        ...rewards,
        authority: owners('May change the renewal.'),
      },
    },
    setAutoRenewedConfig: {
      example: `--tx-id 2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ --period 0 --compounded 0 ${REACH} --send`,
      options: {
        txId: id('Id of the transaction that added the validator.'),
        period: option(Fields.PERIOD, {
          isRequired: true,
          help: 'Length of the next periods; 0 ends the renewal.',
        }),
        compounded,
      },
    },
    delegate: {
      example: `${NODE} --stake 25 --end +30d ${REACH} --send`,
      options: {
        nodeId: { ...nodeId, aliases: ['node'] },
        stake: { ...avax('Amount of AVAX to delegate.'), aliases: ['amount'] },
        end,
        rewardsTo: { ...owners('Receives the rewards.'), aliases: ['rewards'] },
      },
    },
    convertToL1: {
      example: `${SUBNET} --chain-id yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp --manager-address 0x0feedc0de0000000000000000000000000000000 --validators validators.json ${REACH} --send`,
      options: {
        subnetId,
        chainId: id('Id of the blockchain of the contract that manages the validators.'),
        managerAddress: option(Fields.BYTES, { isRequired: true, help: 'Address of this contract, in hex.' }),
        validators: option(Fields.VALIDATORS, {
          isRequired: true,
          help: 'First validators: a JSON list, or a file with it, of objects with nodeID, weight, balance (AVAX) and nodePOP (as info.getNodeID returns it), and optionally remainingBalanceTo and deactivatedBy.',
        }),
      },
    },
    registerL1Validator: {
      example: `--message signed.json --proof-of-possession node.json --balance 1 ${REACH} --send`,
      options: {
        message: message(
          'Signed Warp message RegisterL1Validator: hex, the response of an aggregator, or a file with either.',
        ),
        proofOfPossession: option(Fields.PROOF, {
          isRequired: true,
          help: "Signature by the validator's BLS key: hex, the response of info.getNodeID, or a file with either.",
        }),
        balance: avax("AVAX for the validator's fees."),
      },
    },
    setL1ValidatorWeight: {
      example: `--message signed.json ${REACH} --send`,
      options: {
        message: message(
          'Signed Warp message L1ValidatorWeight: hex, the response of an aggregator, or a file with either.',
        ),
      },
    },
    increaseBalance: {
      example: `${VALIDATION} --balance 1.5 ${REACH} --send`,
      options: { validationId, balance: avax('AVAX to add.') },
    },
    disable: { example: `${VALIDATION} ${REACH} --send`, options: { validationId } },
  },
  X: {
    createAsset: {
      example: `--name 'Team Rocket' --symbol TR --holders X-fuji1…=1000 ${REACH} --send`,
      options: {
        name: option(Type.text, { isRequired: true, help: 'Name of the asset.' }),
        symbol: option(Type.text, { isRequired: true, help: 'Symbol, at most four characters.' }),
        denomination: option(Type.integer(0, 32), {
          defaultText: '0',
          help: 'Number of decimal places in which the asset is shown.',
        }),
        holders: option(Type.list(Fields.HOLDING), {
          help: 'First holders of a fungible asset, with their amounts in units.',
        }),
        minters: receivers('Owners of whom each may mint amounts.'),
        tokenMinters: receivers('Owners of whom each may mint tokens (NFTs), one group of tokens for each.'),
        propertyMinters: receivers('Owners of whom each may mint properties.'),
      },
    },
    mint: {
      example: `${ASSET} --amount 1000 ${REACH} --send`,
      options: {
        assetId,
        amount: option(Fields.UNITS, { isRequired: true, help: 'Amount in units of the asset.' }),
        to: owners('Receives the amount.'),
      },
    },
    mintToken: {
      example: `${ASSET} --payload 0x68656c6c6f ${REACH} --send`,
      options: {
        assetId,
        payload: option(Fields.BYTES, { isRequired: true, help: 'Payload in hex, at most 1,024 bytes.' }),
        to: owners('Receives the token.'),
        groupId: option(Type.integer(0, 2 ** 32 - 1), {
          defaultText: 'any group that the signers may mint',
          help: 'Group of the token.',
        }),
      },
    },
    transferToken: {
      example: `${ASSET} --to X-fuji1… ${REACH} --send`,
      options: {
        assetId,
        to: option(Fields.RECEIVER, { isRequired: true, help: 'Receives the token.' }),
        payload: option(Fields.BYTES, { defaultText: 'any', help: 'Payload of the token, in hex.' }),
      },
    },
    mintProperty: {
      example: `${ASSET} ${REACH} --send`,
      options: { assetId, to: owners('Receives the property.') },
    },
    burnProperty: { example: `${ASSET} ${REACH} --send`, options: { assetId } },
  },
}

/** The input of any operation. */
type Given = Readonly<Record<string, unknown>>

/** Any operation. */
interface Any {
  readonly build: (context: Context, given: Given) => Promise<Signing.Draft>
  readonly made: (draft: Signing.Draft) => object
}

const create = (chain: 'P' | 'X', name: string, { example, options }: Declaration<Given>) => {
  const summaries: Readonly<Record<string, string>> = SUMMARIES[chain]
  const operations = OPERATIONS[chain] as unknown as Readonly<Record<string, Any>>
  const own = group('Transaction', options)
  return Command.create({
    description: `Builds a transaction of the ${chain}-chain: ${summaries[name]}.`,
    example,
    options: { ...own, ...WALLET },
    run: async (values, { terminal }) => {
      const operation = operations[name] as Any
      const setting = await settingOf(pick(WALLET, values), terminal)
      const draft = await Avax.inWords(
        operation.build(setting.context, pick(own, values)),
        setting.context.network,
      )
      await Finish.finish(draft, operation.made, setting, terminal)
    },
  })
}

/** Returns the command of the operation `name` of the P- or X-chain. */
export const commandOf = (name: string): Command.Command => {
  const chain = name in DECLARATIONS.P ? 'P' : 'X'
  const declarations = DECLARATIONS[chain] as Readonly<Record<string, Declaration<Given>>>
  return create(chain, name, declarations[name] as Declaration<Given>)
}
