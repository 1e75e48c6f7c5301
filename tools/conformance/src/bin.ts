#!/usr/bin/env node
import { Program } from '@firn/options'
import { PROGRAM } from './main.ts'

await Program.main(PROGRAM, process)
