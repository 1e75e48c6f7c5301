/**
 * A recorded network with an L1 and Warp messages, and a devnet whose validators sign messages for it.
 *
 * @packageDocumentation
 */
export { createDemoNetwork } from './DemoNetwork.ts'
export * as History from './History.ts'
export * as NodeAssignment from './NodeAssignment.ts'
