/** Called when Redis becomes reachable or unreachable. `problem` says why it is not, without the password of the address. */
export type OnConnection = (isUp: boolean, problem: string) => void;
