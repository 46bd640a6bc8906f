/** Why agents, or the page, are not offered a verb. */

export const FEW_TOOLS =
  "every tool costs an agent some hundred tokens with each request; this one is typed in the shell when it is needed";
export const GOES_BACK =
  "going back is decided by a person, or by an agent that types the command on purpose";
export const IS_SHOWN =
  "the page shows what agents and commands record; it decides, goes back and answers, but records no work";
export const NOT_ASKED = "no view asks for it: the timeline, the runs and the trails show the same";
export const FOR_PEOPLE =
  "a run is ended or put aside by a person, or by an agent that types the command on purpose";
