"""The Program: a ruleset after binding, typing and lowering. What every engine reads.

Names are resolved, terms and routines are inlined, sugar is gone, and every node means one thing.
The invariants a Program keeps are named checks in `wellformed`. Its meaning is the reference
interpreter (`stacklaw.checker.reference`).

Values: a flag is a bool, a number an int, an enum value its name, a player its seat (from 0, in turn
order; seat 0 starts), nobody is None, and a set of players an int whose bit *p* stands for seat *p*.
"""

from .expressions import CONTROLLER as CONTROLLER
from .expressions import KIND as KIND
from .expressions import NO as NO
from .expressions import YES as YES
from .expressions import Add as Add
from .expressions import All as All
from .expressions import Any as Any
from .expressions import AttributeOf as AttributeOf
from .expressions import Contains as Contains
from .expressions import Count as Count
from .expressions import Domain as Domain
from .expressions import EndOf as EndOf
from .expressions import Entry as Entry
from .expressions import EnumType as EnumType
from .expressions import Equal as Equal
from .expressions import Everyone as Everyone
from .expressions import Exists as Exists
from .expressions import Expr as Expr
from .expressions import Fixed as Fixed
from .expressions import FlagType as FlagType
from .expressions import IsEmpty as IsEmpty
from .expressions import ItemsOn as ItemsOn
from .expressions import ItemType as ItemType
from .expressions import Less as Less
from .expressions import Literal as Literal
from .expressions import Local as Local
from .expressions import Logic as Logic
from .expressions import Neighbour as Neighbour
from .expressions import NoPlayers as NoPlayers
from .expressions import Not as Not
from .expressions import NumbersFrom as NumbersFrom
from .expressions import NumberType as NumberType
from .expressions import OfNumbers as OfNumbers
from .expressions import OfPlayers as OfPlayers
from .expressions import OfZone as OfZone
from .expressions import OneOf as OneOf
from .expressions import OptionValue as OptionValue
from .expressions import PlayerNumber as PlayerNumber
from .expressions import PlayersIn as PlayersIn
from .expressions import PlayersType as PlayersType
from .expressions import PlayerType as PlayerType
from .expressions import Size as Size
from .expressions import Stored as Stored
from .expressions import Subtract as Subtract
from .expressions import Type as Type
from .expressions import Variable as Variable
from .expressions import With as With
from .expressions import Without as Without
from .program import ACTIVE as ACTIVE
from .program import NO_STEP as NO_STEP
from .program import ORDERS as ORDERS
from .program import STEP as STEP
from .program import TURN as TURN
from .program import Attribute as Attribute
from .program import Claim as Claim
from .program import Clause as Clause
from .program import Kind as Kind
from .program import LeftOut as LeftOut
from .program import Mode as Mode
from .program import Option as Option
from .program import Owner as Owner
from .program import Parameter as Parameter
from .program import Program as Program
from .program import Sequence as Sequence
from .program import Stage as Stage
from .program import Step as Step
from .program import VariableDeclaration as VariableDeclaration
from .program import Zone as Zone
from .statements import NOT as NOT
from .statements import Advance as Advance
from .statements import Assign as Assign
from .statements import BeginResolving as BeginResolving
from .statements import Block as Block
from .statements import Branch as Branch
from .statements import Choose as Choose
from .statements import End as End
from .statements import GameOver as GameOver
from .statements import Go as Go
from .statements import If as If
from .statements import Leave as Leave
from .statements import Let as Let
from .statements import Move as Move
from .statements import Nearest as Nearest
from .statements import OfItem as OfItem
from .statements import OfState as OfState
from .statements import Pass as Pass
from .statements import Put as Put
from .statements import Require as Require
from .statements import Several as Several
from .statements import Simple as Simple
from .statements import SimpleOfItem as SimpleOfItem
from .statements import SimpleOfState as SimpleOfState
from .statements import Statement as Statement
from .statements import StepTo as StepTo
from .traverse import children as children
from .traverse import rewrite as rewrite
from .traverse import walk as walk
