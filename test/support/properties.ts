import fc from 'fast-check';

/**
 * The same values in every run, so that what fails was changed and not only drawn. `THREADKEEP_TEST_SEED=random` looks
 * further, and a number repeats what it found.
 */
const wanted = process.env.THREADKEEP_TEST_SEED ?? '20261115';
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });

export default fc;
