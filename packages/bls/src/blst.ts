import * as binding from '@chainsafe/blst'
import { create } from './internal/BlstEngine.ts'

/** The native engine; importing this fails where its addon has no binary for the platform. */
export const blst = create(binding)
