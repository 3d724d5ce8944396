/** Tells whether Redis is reachable. `problem` says why not, without the password of the address. */
export type OnConnection = (isUp: boolean, problem: string) => void;
