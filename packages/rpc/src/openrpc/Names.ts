import { LoggerLevels } from '../AdminMethods.ts'
import { HealthCheck, HealthReport } from '../HealthMethods.ts'
import { IndexedContainer } from '../IndexMethods.ts'
import { AcpOpinion, Peer, TxFees, Upgrades } from '../InfoMethods.ts'
import type { AnySchema } from '../internal/schema.ts'
import { Subnet } from '../PlatformChainMethods.ts'
import { GasWeights } from '../PlatformFeeMethods.ts'
import {
  Delegator,
  L1Validator,
  Owner,
  PrimaryValidator,
  SubnetValidator,
  WarpSet,
} from '../PlatformStakingMethods.ts'
import { Signer } from '../Signer.ts'
import { UtxoId, UtxoIndex } from '../UtxoMethods.ts'

/** The schemas that have names in the document. */
export const NAMED: Readonly<Record<string, AnySchema>> = {
  AcpOpinion,
  Delegator,
  GasWeights,
  HealthCheck,
  HealthReport,
  IndexedContainer,
  L1Validator,
  LoggerLevels,
  Owner,
  Peer,
  PrimaryValidator,
  Signer,
  Subnet,
  SubnetValidator,
  TxFees,
  Upgrades,
  UtxoId,
  UtxoIndex,
  WarpSet,
}
