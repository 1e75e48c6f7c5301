import * as binding from '@chainsafe/blst'
import { create } from './internal/BlstEngine.ts'

/** The native engine. Importing this module fails if the addon has no binary for the platform. */
export const blst = create(binding)
